/* SPDX-License-Identifier: Apache-2.0 */
/* Notes on ranks: facts that users need beside the answers. */
#include "analyze/job/analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"

/* Ranks of one job that begin farther apart have a note. */
#define APART_NS UINT64_C(60000000000)

static void note_no_end(struct wm_analysis *a, const struct wm_rank *r)
{
	static const char *const words[] = {
		[WM_RUNNING_UNKNOWN] = "was killed or still runs",
		[WM_RUNNING_NO] = "was killed or crashed",
		[WM_RUNNING_YES] = "is still running",
	};
	const char *became = words[a->run.files[r->source].running];
	char which[120] = "";
	struct wm_figure b;

	if (r->outside)
		snprintf(which, sizeof(which), "%" PRIu64 " of its threads",
			 r->outside);
	if (wm_rank_lost_its_end(r))
		wm_analysis_note(a, true,
				 "%s has no end: the process %s; the events "
				 "that it wrote in %.3f s count, but the last "
				 "ones (up to %" PRIu64 ") of %s are lost",
				 r->file, became, r->seconds, r->buffer_events,
				 which[0] ? which : "each thread");
	else if (wm_rank_is_unwritten(r))
		wm_analysis_note(a, true,
				 "%s has no end, because the end could not be "
				 "written%s%s; the events before it (%.3f s) "
				 "count, %s from its window",
				 r->file, r->dropped ? "" : ": ",
				 r->dropped ? "" : r->drop_reason, r->seconds,
				 wm_several(&b, r->crash_buffer_events,
					    "event"));
	else
		wm_analysis_note(a, true,
				 "%s has no end: the process %s; all events "
				 "that it wrote in %.3f s count, %s from its "
				 "window",
				 r->file, became, r->seconds,
				 wm_several(&b, r->crash_buffer_events,
					    "event"));
}

/* WM_MAX_BYTES ended the events; later memory is known only in usable bytes. */
static void note_cap(struct wm_analysis *a, const struct wm_rank *r)
{
	const struct wm_usage *u = &r->usage;
	char totals[160] =
		"not known: the allocator has no malloc_usable_size()";
	struct wm_figure b;

	if (u->has_usable)
		snprintf(totals, sizeof(totals),
			 "%" PRIu64 " at most, %" PRIu64 " at the "
			 "end",
			 u->usable_peak, u->usable_live);
	wm_analysis_note(a, true,
			 "%s: capped at %" PRIu64 " bytes "
			 "(WM_MAX_BYTES): %s after that %s not written; "
			 "usable bytes of the heap: %s",
			 r->file, u->capped,
			 wm_several(&b, u->not_written, "event"),
			 u->not_written == 1 ? "was" : "were", totals);
}

static void note_rank(struct wm_analysis *a, const struct wm_rank *r)
{
	struct wm_figure b;

	if (r->damage)
		wm_analysis_note(a, true,
				 "%s; only the events before that place count "
				 "(%.3f s)",
				 r->damage->text, r->seconds);
	else if (!r->ended)
		note_no_end(a, r);
	if (r->crash_buffer_damage)
		wm_analysis_note(a, true, "%s", r->crash_buffer_damage->text);
	if (r->crash_buffer_pathless)
		wm_analysis_note(a, true,
				 "%s: the call path of %s of its window is not "
				 "known",
				 r->file,
				 wm_several(&b, r->crash_buffer_pathless,
					    "event"));
	if (r->gaps)
		wm_analysis_note(a, true, "%s: %s %s missing", r->file,
				 wm_several(&b, r->gaps, "block"),
				 r->gaps == 1 ? "is" : "are");
	if (r->missing_events)
		wm_analysis_note(a, true, "%s: %s %s missing", r->file,
				 wm_several(&b, r->missing_events, "event"),
				 r->missing_events == 1 ? "is" : "are");
	if (r->dropped)
		wm_analysis_note(a, true, "%s: %s %s dropped%s%s", r->file,
				 wm_several(&b, r->dropped, "event"),
				 r->dropped == 1 ? "was" : "were",
				 r->drop_reason ? ": " : "",
				 r->drop_reason ? r->drop_reason : "");
	if (r->paths_cut)
		wm_analysis_note(a, true,
				 "%s: the call path of %s is not whole: there "
				 "was no memory for it (WM_MEMORY, limits)",
				 r->file,
				 wm_several(&b, r->paths_cut, "event"));
	if (r->unseen_libraries)
		wm_analysis_note(a, true,
				 "%s: allocations of %s are not seen: malloc "
				 "there is not the program's (RTLD_DEEPBIND, "
				 "dlmopen)",
				 r->file, r->unseen_libraries);
	if (r->accesses_lost)
		wm_analysis_note(a, false,
				 "%s: %" PRIu64 " loads and stores, or more, "
				 "were not recorded",
				 r->file, r->accesses_lost);
	if (r->usage.capped)
		note_cap(a, r);
	if (r->jump)
		wm_analysis_note(a, true,
				 "%s: its clock jumped by %.3f s: "
				 "times, and the order of threads, may be "
				 "wrong",
				 r->file, r->jump);
	if (a->job_size != r->ranks && r->ranks)
		wm_analysis_note(a, true,
				 "%s: its job has %" PRIu64
				 " ranks, not %" PRIu64
				 ": is it of another run?",
				 r->file, r->ranks, a->job_size);
	if (r->rank >= a->job_size && a->run.dir_count)
		wm_analysis_note(a, true,
				 "%s: the job has only ranks 0 to %" PRIu64
				 ": is it of another run?",
				 r->file, a->job_size - 1);
}

static void note_ranks(struct wm_analysis *a)
{
	size_t i, before = a->note_count, bad = 0;

	for (i = 0; i < a->rank_count; i++) {
		size_t count = a->note_count;

		note_rank(a, &a->ranks[i]);
		bad += a->note_count > count;
		/* there are enough notes, so others are only counted */
		if (count - before >= WM_MAX_NOTES)
			while (a->note_count > count)
				free(a->notes[--a->note_count]);
	}
	if (bad > WM_MAX_NOTES)
		wm_analysis_note(a, true, "traces of %zu ranks are incomplete",
				 bad);
}

static void note_pauses(struct wm_analysis *a)
{
	struct wm_figure b;

	if (a->paused_ranks)
		wm_analysis_note(a, false,
				 "recording was paused in %" PRIu64 " of %zu "
				 "ranks, for %.6f s at most: %s%s %s left out",
				 a->paused_ranks, a->rank_count,
				 a->paused_seconds,
				 a->paused_untold ? "at least " : "",
				 wm_several(&b, a->paused_allocations,
					    "allocation"),
				 a->paused_allocations == 1 ? "is" : "are");
}

/* A library does so in all ranks, so one line is enough. */
static void note_overwritten(struct wm_analysis *a)
{
	const struct wm_rank *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < a->rank_count; i++)
		if (a->ranks[i].overwritten && !n++)
			first = &a->ranks[i];
	if (n)
		wm_analysis_note(a, true,
				 "mappings are missing in %zu of %zu ranks, "
				 "or still count after they were unmapped: a "
				 "library (UCX does so) has overwritten %s, "
				 "and later calls are not recorded; run it "
				 "with UCX_MEM_MMAP_HOOK_MODE=none, or link "
				 "it by wmcc",
				 n, a->rank_count, first->overwritten);
}

static uint64_t end_ns(const struct wm_rank *r)
{
	return r->start_ns + wm_whole(r->seconds * 1e9);
}

static void note_begin(struct wm_analysis *a)
{
	const struct wm_rank *first = NULL, *last = NULL, *ended = NULL;
	bool overlaps;

	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (!r->start_ns)
			continue;
		if (!first || r->start_ns < first->start_ns)
			first = r;
		if (!last || r->start_ns > last->start_ns)
			last = r;
		if (!ended || end_ns(r) < end_ns(ended))
			ended = r;
	}
	if (!first || last->start_ns - first->start_ns < APART_NS)
		return;
	/* only one clock makes this certain */
	if (first->boot_id && last->boot_id &&
	    strcmp(first->boot_id, last->boot_id) == 0) {
		wm_analysis_note(
			a, false,
			"the ranks did not begin together: rank %" PRIu64
			" began %.0f s after rank %" PRIu64,
			last->rank,
			(double)(last->start_ns - first->start_ns) * 1e-9,
			first->rank);
		return;
	}
	overlaps = end_ns(ended) < last->start_ns;
	wm_analysis_note(a, overlaps,
			 "%s: by the clock of '%s' it began %.0f s after rank "
			 "%" PRIu64 " by that of '%s': the clocks of the "
			 "nodes differ%s; no times of the two are compared",
			 last->file, last->host ? last->host : "?",
			 (double)(last->start_ns - first->start_ns) * 1e-9,
			 first->rank, first->host ? first->host : "?",
			 overlaps ? ", or these are traces of several jobs" :
				    "");
}

static int64_t boot_time_of(const struct wm_rank *r)
{
	return (int64_t)(r->start.real_ns - r->start.mono_ns);
}

/* Notes that @x and @y have one boot id, but different times of boot. */
static void note_boot(struct wm_analysis *a, const struct wm_rank *x,
		      const struct wm_rank *y)
{
	bool hosts = x->host && y->host && strcmp(x->host, y->host) != 0;

	wm_analysis_note(a, hosts,
			 "rank %" PRIu64 " on '%s' and rank "
			 "%" PRIu64 " on '%s' name the same boot, but "
			 "their clocks are %.0f s apart: taken for "
			 "one node%s",
			 x->rank, x->host ? x->host : "?", y->rank,
			 y->host ? y->host : "?",
			 fabs((double)boot_time_of(y) -
			      (double)boot_time_of(x)) *
				 1e-9,
			 hosts ? " (containers); if they are "
				 "copies of a virtual machine, its peak is "
				 "too high" :
				 ", by CLOCK_REALTIME");
}

/* Writes a line for each boot: its first rank, and the first that disagrees. */
static enum wm_status note_boots(struct wm_analysis *a, struct wm_err *err)
{
	static const struct wm_rank told;
	const struct wm_rank **first = calloc(a->run.file_count + 1,
					      sizeof(*first));

	if (!first)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		size_t node = a->run.files[r->source].node;

		if (!r->boot_id || !r->boot_id[0] || first[node] == &told)
			continue;
		if (!first[node])
			first[node] = r;
		if (!wm_boots_differ(&first[node]->start, &r->start))
			continue;
		note_boot(a, first[node], r);
		first[node] = &told;
	}
	free(first);
	return WM_OK;
}

/* Notes clocks that went back, which only pass node finds. */
static void note_clocks(struct wm_analysis *a)
{
	const struct wm_rank *worst = NULL;
	size_t i, n = 0;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (!r->clock_jumps)
			continue;
		n++;
		if (!worst || r->clock_back_ns > worst->clock_back_ns)
			worst = r;
	}
	if (n)
		wm_analysis_note(
			a, false,
			"the clock of %zu rank%s goes back, that of "
			"rank %" PRIu64 " %" PRIu64
			" times, by %.6f s at most: what "
			"happens then counts as of the latest time before",
			n, n == 1 ? "" : "s", worst->rank, worst->clock_jumps,
			(double)worst->clock_back_ns * 1e-9);
}

/* Notes ranks that never allocated, which is rarely intended. */
static void note_silent(struct wm_analysis *a)
{
	const struct wm_rank *first = NULL;
	size_t i, n = 0;

	for (i = 0; i < a->rank_count; i++) {
		/* there is a note about dropped events */
		if (a->ranks[i].tally.records || a->ranks[i].dropped ||
		    !wm_rank_is_whole(&a->ranks[i]))
			continue;
		if (!n++)
			first = &a->ranks[i];
	}
	if (n && n == a->rank_count)
		wm_analysis_note(a, false,
				 "no events: the program allocated "
				 "nothing, or all of it while recording "
				 "was paused");
	else if (n == 1)
		wm_analysis_note(a, false, "%s: no events", first->file);
	else if (n)
		wm_analysis_note(a, false,
				 "%zu of %zu ranks have no events, "
				 "the first of them is rank %" PRIu64,
				 n, a->rank_count, first->rank);
}

static void note_lists(struct wm_analysis *a)
{
	if (a->pages.blocks_left_out)
		wm_analysis_note(a, true,
				 "%" PRIu64 " allocations are left out: the "
				 "list has room for %zu blocks",
				 a->pages.blocks_left_out, a->pages.blocks);
	if (a->annotations.regions_left_out)
		wm_analysis_note(a, false,
				 "%" PRIu64 " regions are left out: the list "
				 "has room for %zu",
				 a->annotations.regions_left_out,
				 a->annotations.region_count);
}

enum wm_status wm_analysis_notes(struct wm_analysis *a, bool events,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;

	note_ranks(a);
	note_overwritten(a);
	note_begin(a);
	wm_analysis_conflicts(a);
	note_pauses(a);
	note_clocks(a);
	note_lists(a);
	if (a->node_count)
		s = note_boots(a, err);
	if (!s && events)
		note_silent(a);
	return s;
}
