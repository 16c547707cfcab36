/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/base/vec.h"
#include "analyze/base/whole.h"
#include "analyze/job/facts.h"
#include "analyze/job/held_names.h"
#include "analyze/job/load.h"
#include "analyze/job/scan.h"
#include "wm/rank_list.h"

/* So many notes of one kind; then only their number. */
#define MAX_NOTES 12
#define MAX_MISSING 4096
#define MAX_CHOICE (1u << 24)
/* While the files of a run change between scan and reading, both are done
 * again; what changes in the last round is an error of that file. */
#define MOST_SCANS 3
/* Ranks of one job that begin farther apart are worth a note. */
#define APART_NS UINT64_C(60000000000)

uint64_t wm_calls_realloc(const uint64_t *kind)
{
	return kind[WMT_EV_REALLOC_IN] + kind[WMT_EV_REALLOC_GONE] +
	       kind[WMT_EV_REALLOC_NEW];
}

uint64_t wm_calls_total(const uint64_t *kind)
{
	return kind[WMT_EV_MALLOC] + kind[WMT_EV_CALLOC] +
	       wm_calls_realloc(kind) + kind[WMT_EV_FREE] +
	       kind[WMT_EV_ALIGNED] + kind[WMT_EV_FAILED] +
	       wm_calls_other(kind);
}

uint64_t wm_calls_other(const uint64_t *kind)
{
	return kind[WMT_EV_NEW] + kind[WMT_EV_DELETE] + kind[WMT_EV_MAP] +
	       kind[WMT_EV_UNMAP] + kind[WMT_EV_REMAP_IN] + kind[WMT_EV_SHM] +
	       kind[WMT_EV_SHM_GONE] + kind[WMT_EV_BREAK_UP] +
	       kind[WMT_EV_BREAK_DOWN] + kind[WMT_EV_MPI_ALLOC] +
	       kind[WMT_EV_MPI_FREE];
}

/* Being filled. */
struct reading {
	struct wm_analysis *a;
	struct wm_retainer retainer;
	size_t failed;
	struct wm_err first; /* of the first failure */
	bool changed; /* a file, since the scan */
	bool ended; /* a process, since the scan */
	bool events; /* were looked at */
	bool several; /* wm_request.several */
};

static enum wm_status take_rank(void *context, size_t i, struct wm_rank *r,
				enum wm_status status, const struct wm_err *why,
				struct wm_err *err)
{
	struct reading *rd = context;
	struct wm_analysis *a = rd->a;

	if (status == WM_NO_MEMORY)
		return wm_err_set(err, status, "%.400s", why->text);
	rd->changed |= status == WM_CHANGED;
	if (status) {
		if (!rd->failed++)
			rd->first = *why;
		if (rd->failed <= MAX_NOTES)
			wm_analysis_note(a, true, "%s", why->text);
		a->partial = true;
		return WM_OK;
	}
	if (!WM_ROOM(a->ranks, a->rank_cap, a->rank_count + 1)) {
		wm_rank_release(r);
		return wm_no_memory(err, NULL);
	}
	/* what it wrote at its end may have come behind what was read */
	rd->ended |= !r->ended && a->run.files[i].running == WM_RUNNING_YES &&
		     wm_facts_running(r) == WM_RUNNING_NO;
	r->ranks = a->run.files[i].ranks;
	r->program_index = a->run.files[i].program;
	r->node = a->node_count; /* it comes behind its ranks */
	if (!a->rank_count) {
		a->origin = r->origin;
		r->origin = (struct wm_origin){ .shared = true };
	} else {
		wm_origin_share(&r->origin, &a->origin);
	}
	a->ranks[a->rank_count++] = *r;
	return wm_retainer_take(&rd->retainer, a, err);
}

static enum wm_status take_node(void *context, size_t g, struct wm_node_peak *n,
				struct wm_err *err)
{
	struct wm_analysis *a = ((struct reading *)context)->a;

	(void)g;
	if (!WM_ROOM(a->node, a->node_cap, a->node_count + 1)) {
		wm_node_peak_release(n);
		return wm_no_memory(err, NULL);
	}
	a->node[a->node_count++] = *n;
	return WM_OK;
}

static void raise_to(uint64_t *most, uint64_t v)
{
	if (v > *most)
		*most = v;
}

static void add_tool(struct wm_tool *most, const struct wm_tool *t)
{
	raise_to(&most->memory, t->memory);
	raise_to(&most->resident, t->resident);
	raise_to(&most->start, t->start);
	raise_to(&most->thread, t->thread);
	raise_to(&most->paths, t->paths);
}

static void add_up(struct wm_analysis *a)
{
	double sum = 0, squares = 0, d;
	size_t i, k;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (r->peak_bytes > a->ranks[a->max].peak_bytes)
			a->max = i;
		if (r->peak_bytes < a->ranks[a->min].peak_bytes)
			a->min = i;
		for (k = 0; k < WM_FAMILIES; k++) {
			struct wm_rank *top = &a->ranks[a->family_max[k]];

			if (r->family[k].peak_bytes > top->family[k].peak_bytes)
				a->family_max[k] = i;
		}
		sum += (double)r->peak_bytes;
		for (k = 0; k < WMT_EV_LIMIT; k++)
			a->kind[k] += r->tally.kind[k];
		a->dropped += r->dropped;
		a->paths_cut += r->paths_cut;
		a->accesses_lost += r->accesses_lost;
		a->unknown_free += r->tally.unknown_free;
		a->inherited_free += r->inherited_free;
		a->conflicts += r->tally.conflicts;
		a->unpaired += r->tally.unpaired;
		a->unrecorded += r->tally.unrecorded;
		a->paused_ranks += r->pauses != 0;
		a->paused_allocations += r->paused_allocations;
		a->paused_untold |= r->pauses && !r->ended;
		if (r->paused_seconds > a->paused_seconds)
			a->paused_seconds = r->paused_seconds;
		a->end_bytes += r->end_bytes;
		a->end_blocks += r->end_blocks;
		if (wm_rank_is_cut(r)) {
			a->cut_ranks++;
			a->capped_ranks += r->ended;
			a->held_bytes += r->end_bytes;
			a->held_blocks += r->end_blocks;
		}
		a->trace_bytes += r->trace_bytes;
		a->crash_buffer_events += r->crash_buffer_events;
		add_tool(&a->tool, &r->tool);
		if (r->peak_rss > a->peak_rss)
			a->peak_rss = r->peak_rss;
		if (r->ranks > a->job_size)
			a->job_size = r->ranks;
	}
	a->mean = sum / (double)a->rank_count;
	for (i = 0; i < a->rank_count; i++) {
		d = (double)a->ranks[i].peak_bytes - a->mean;
		squares += d * d;
	}
	a->stddev = sqrt(squares / (double)a->rank_count);
	if (a->job_size < a->rank_count)
		a->job_size = a->rank_count;
}

static enum wm_status count_nodes(struct wm_analysis *a, struct wm_err *err)
{
	char *seen = calloc(a->run.file_count + 1, 1);
	size_t i;

	if (!seen)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->rank_count; i++) {
		size_t node = a->run.files[a->ranks[i].source].node;

		a->nodes += !seen[node];
		seen[node] = 1;
	}
	free(seen);
	return WM_OK;
}

/*
 * The ranks that were to be traced: what all traces agree on.  A trace
 * without a list, or with another one, is a reason to miss those that are
 * not there.
 */
static const char *find_choice(const struct wm_analysis *a)
{
	const char *list = a->ranks[0].traced_ranks;
	uint64_t lowest;
	size_t i;

	/* more than there are: damaged; and they are gone through one by one */
	if (a->job_size > MAX_CHOICE)
		return NULL;
	for (i = 0; i < a->rank_count && list; i++)
		if (!a->ranks[i].traced_ranks ||
		    strcmp(a->ranks[i].traced_ranks, list) != 0)
			list = NULL;
	return list && wm_rank_list_check(list, &lowest) ? list : NULL;
}

static void note_choice(struct wm_analysis *a)
{
	if (a->left_out)
		wm_analysis_note(a, false,
				 "%zu of %" PRIu64 " ranks are traced, by "
				 "WM_RANKS=%.200s: all that is said is about "
				 "these",
				 a->rank_count, a->job_size, a->traced_ranks);
}

/* Ranks of the job that nobody gave a trace of. */
static enum wm_status find_missing(struct wm_analysis *a, struct wm_err *err)
{
	uint64_t rank = 0;
	size_t i = 0;

	a->traced_ranks = find_choice(a);
	/* who names files asks about these files */
	if (!a->run.dir_count)
		return WM_OK;
	a->missing = calloc(MAX_MISSING, sizeof(*a->missing));
	if (!a->missing)
		return wm_no_memory(err, NULL);
	while (rank < a->job_size &&
	       (a->missing_listed < MAX_MISSING || a->traced_ranks)) {
		if (i < a->rank_count && a->ranks[i].rank <= rank) {
			rank += a->ranks[i].rank == rank;
			i++;
			continue;
		}
		if (a->traced_ranks && !wm_rank_list_has(a->traced_ranks, rank))
			a->left_out++;
		else if (a->missing_listed < MAX_MISSING)
			a->missing[a->missing_listed++] = rank;
		rank++;
	}
	for (i = 0; i < a->rank_count && a->ranks[i].rank < a->job_size; i++)
		;
	a->missing_count = a->job_size - i - a->left_out;
	note_choice(a);
	if (a->missing_count == 0)
		return WM_OK;
	a->complete = false;
	wm_analysis_note(a, true,
			 "no trace of %" PRIu64 " of %" PRIu64 " ranks, the "
			 "first of them is rank %" PRIu64,
			 a->missing_count, a->job_size, a->missing[0]);
	return WM_OK;
}

static void note_no_end(struct wm_analysis *a, const struct wm_rank *r)
{
	static const char *const words[] = {
		[WM_RUNNING_UNKNOWN] = "was killed or still runs",
		[WM_RUNNING_NO] = "was killed or crashed",
		[WM_RUNNING_YES] = "is still running",
	};
	const char *became = words[a->run.files[r->source].running];
	char which[120] = "";

	if (r->outside)
		snprintf(which, sizeof(which), "%" PRIu64 " of its threads",
			 r->outside);
	if (wm_rank_lost_its_end(r))
		wm_analysis_note(a, true,
				 "%s: no end: the process %s; what it wrote "
				 "in %.3f s counts, but the last "
				 "events (up to %" PRIu64 ") of %s are lost",
				 r->file, became, r->seconds, r->buffer_events,
				 which[0] ? which : "each thread");
	else if (r->drop_reason &&
		 strncmp(r->drop_reason, "cannot write", 12) == 0)
		wm_analysis_note(a, true,
				 "%s: no end: it could not be "
				 "written%s%s; what came before "
				 "(%.3f s) counts, %" PRIu64 " events from its "
				 "window",
				 r->file, r->dropped ? "" : ": ",
				 r->dropped ? "" : r->drop_reason, r->seconds,
				 r->crash_buffer_events);
	else
		wm_analysis_note(a, true,
				 "%s: no end: the process %s; all that it "
				 "wrote in %.3f s counts, %" PRIu64
				 " events from its window",
				 r->file, became, r->seconds,
				 r->crash_buffer_events);
}

/* WM_MAX_BYTES ended the events; what went on is in usable bytes. */
static void note_cap(struct wm_analysis *a, const struct wm_rank *r)
{
	const struct wm_usage *u = &r->usage;
	char totals[160] = "not known: the allocator can not tell";

	if (u->has_usable)
		snprintf(totals, sizeof(totals),
			 "%" PRIu64 " at most, %" PRIu64 " at the "
			 "end",
			 u->usable_peak, u->usable_live);
	wm_analysis_note(a, true,
			 "%s: capped at %" PRIu64 " bytes "
			 "(WM_MAX_BYTES): %" PRIu64 " events after that were "
			 "not written; usable bytes of the heap: %s",
			 r->file, u->capped, u->not_written, totals);
}

static void note_rank(struct wm_analysis *a, const struct wm_rank *r)
{
	if (r->damage)
		wm_analysis_note(a, true,
				 "%s; only what comes before it "
				 "counts (%.3f s)",
				 r->damage->text, r->seconds);
	else if (!r->ended)
		note_no_end(a, r);
	if (r->crash_buffer_damage)
		wm_analysis_note(a, true, "%s", r->crash_buffer_damage->text);
	if (r->crash_buffer_pathless)
		wm_analysis_note(a, true,
				 "%s: %" PRIu64 " events of its window have "
				 "an unknown call path",
				 r->file, r->crash_buffer_pathless);
	if (r->gaps)
		wm_analysis_note(a, true, "%s: %" PRIu64 " blocks are missing",
				 r->file, r->gaps);
	if (r->missing_events)
		wm_analysis_note(a, true, "%s: %" PRIu64 " events are missing",
				 r->file, r->missing_events);
	if (r->dropped)
		wm_analysis_note(a, true,
				 "%s: %" PRIu64 " events were dropped%s%s",
				 r->file, r->dropped,
				 r->drop_reason ? ": " : "",
				 r->drop_reason ? r->drop_reason : "");
	if (r->paths_cut)
		wm_analysis_note(a, true,
				 "%s: the call paths of %" PRIu64 " events "
				 "are not whole: there was no memory for "
				 "them (WM_MEMORY, limits)",
				 r->file, r->paths_cut);
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
				 "%s: of a job of %" PRIu64 " ranks, not "
				 "%" PRIu64 ": another run's?",
				 r->file, r->ranks, a->job_size);
	if (r->rank >= a->job_size && a->run.dir_count)
		wm_analysis_note(a, true,
				 "%s: the job has ranks 0 to %" PRIu64 " "
				 "only: another run's?",
				 r->file, a->job_size - 1);
}

static void note_ranks(struct wm_analysis *a)
{
	size_t i, before = a->note_count, bad = 0;

	for (i = 0; i < a->rank_count; i++) {
		size_t count = a->note_count;

		note_rank(a, &a->ranks[i]);
		bad += a->note_count > count;
		/* enough of them: count only */
		if (count - before >= MAX_NOTES)
			while (a->note_count > count)
				free(a->notes[--a->note_count]);
	}
	if (bad > MAX_NOTES)
		wm_analysis_note(a, true, "traces of %zu ranks are incomplete",
				 bad);
}

/* What the program did not want to be recorded is no loss, but worth a line. */
static void note_pauses(struct wm_analysis *a)
{
	if (a->paused_ranks)
		wm_analysis_note(a, false,
				 "recording was paused in %" PRIu64 " of %zu "
				 "ranks, for %.6f s at most: %s%" PRIu64
				 " allocations "
				 "are left out",
				 a->paused_ranks, a->rank_count,
				 a->paused_seconds,
				 a->paused_untold ? "at least " : "",
				 a->paused_allocations);
}

static uint64_t end_ns(const struct wm_rank *r)
{
	return r->start_ns + wm_whole(r->seconds * 1e9);
}

/* Ranks that are taken for one job, and did not begin together. */
static void note_begin(struct wm_analysis *a)
{
	const struct wm_rank *first = NULL, *last = NULL, *ended = NULL;
	bool overlaps;
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
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
	/* one clock: it is true; several: who of them is to be believed? */
	if (first->boot_id && last->boot_id &&
	    strcmp(first->boot_id, last->boot_id) == 0) {
		wm_analysis_note(a, false,
				 "the ranks did not begin together:"
				 " rank %" PRIu64 " %.0f s after rank %" PRIu64,
				 last->rank,
				 (double)(last->start_ns - first->start_ns) *
					 1e-9,
				 first->rank);
		return;
	}
	overlaps = end_ns(ended) < last->start_ns;
	wm_analysis_note(a, overlaps,
			 "%s: by the clock of '%s' it began "
			 "%.0f s after rank %" PRIu64 " by that of '%s': the "
			 "clocks of the nodes differ%s; nothing is "
			 "compared by them",
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

/* @x and @y name one boot, and disagree about when that was. */
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

/* One line for each boot: its first rank, and the first that disagrees. */
static enum wm_status note_boots(struct wm_analysis *a, struct wm_err *err)
{
	static const struct wm_rank told;
	const struct wm_rank **first = calloc(a->run.file_count + 1,
					      sizeof(*first));
	size_t i;

	if (!first)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		size_t node = a->run.files[r->source].node;

		if (!r->boot_id || !r->boot_id[0] || first[node] == &told)
			continue;
		if (!first[node])
			first[node] = r;
		if (!wm_boots_differ(boot_time_of(first[node]),
				     boot_time_of(r)))
			continue;
		note_boot(a, first[node], r);
		first[node] = &told;
	}
	free(first);
	return WM_OK;
}

/* Only pass node looks. */
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

/* Ranks that never allocated: rarely what was meant. */
static void note_silent(struct wm_analysis *a)
{
	const struct wm_rank *first = NULL;
	size_t i, n = 0;

	for (i = 0; i < a->rank_count; i++) {
		/* a note says already what was dropped */
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

/* What lists are without. */
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

static enum wm_status put_together(struct reading *rd, struct wm_err *err)
{
	struct wm_analysis *a = rd->a;
	enum wm_status s;
	size_t i;

	if (!a->rank_count && rd->failed > 1)
		return wm_err_set(err, WM_BAD_INPUT,
				  "none of %zu traces can "
				  "be read",
				  rd->failed);
	if (!a->rank_count) {
		while (a->note_count) /* it says the same */
			free(a->notes[--a->note_count]);
		return wm_err_set(err, WM_BAD_INPUT, "%.400s",
				  rd->first.text[0] ? rd->first.text :
						      "no traces");
	}
	if (rd->failed > MAX_NOTES)
		wm_analysis_note(a, true, "%zu traces can not be read",
				 rd->failed);
	s = wm_retainer_finish(&rd->retainer, a, err);
	if (!s)
		s = wm_held_names_find(a, err);
	if (!s)
		s = wm_analysis_check_moment(a, err);
	if (s)
		return s;
	add_up(a);
	a->partial |= a->run.unread;
	a->complete = !rd->failed && !a->dropped && !a->run.unread;
	for (i = 0; i < a->rank_count; i++)
		a->complete &= wm_rank_is_whole(&a->ranks[i]) &&
			       !a->ranks[i].usage.capped;
	for (i = 0; i < a->run.note_count; i++)
		wm_analysis_note(a, a->run.parted, "%s", a->run.notes[i]);
	if ((s = count_nodes(a, err)) || (s = find_missing(a, err)))
		return s;
	note_ranks(a);
	note_begin(a);
	wm_analysis_conflicts(a);
	note_pauses(a);
	note_clocks(a);
	note_lists(a);
	if (a->node_count && (s = note_boots(a, err)))
		return s;
	if (rd->events)
		note_silent(a);
	s = wm_analysis_programs(a, rd->several, err);
	return !s && a->notes_lost ? wm_no_memory(err, NULL) : s;
}

static enum wm_status read_ranks(struct reading *rd, struct wm_load *load,
				 const struct wm_request *q, struct wm_err *err)
{
	struct wm_file_groups groups = { .group = NULL };
	enum wm_status s = wm_retainer_init(&rd->retainer, q, err);

	if (!s)
		s = wm_scan_run(&rd->a->run, &groups, load->wish->needs,
				q->threads, err);
	load->groups = &groups;
	if (!s)
		s = wm_load_run(load, err);
	load->groups = NULL;
	wm_groups_release(&groups);
	return s;
}

/* All that the run holds now; sums and notes are still to be made. */
static enum wm_status read_run(struct reading *rd, const struct wm_request *q,
			       struct wm_err *err)
{
	struct wm_analysis *a = rd->a;
	struct wm_wish wish = q->wish;
	struct wm_load load = {
		.wish = &wish,
		.threads = q->threads,
		.progress = !q->quiet && isatty(STDERR_FILENO),
		.deliver = take_rank,
		.context = rd,
		.run = &a->run,
		.node = take_node,
		.retainer = &rd->retainer,
	};
	enum wm_status s;

	memset(a, 0, sizeof(*a));
	a->chosen = WM_ALL_RANKS;
	a->at_time = q->at_time;
	a->moment = q->wish.moment;
	if (q->at_time)
		wish.needs |= WM_NEEDS(heap) | WM_NEEDS(moment);
	s = wm_rules_init(&a->rules, q->fold, q->fold_count, err);
	if (!s)
		s = wm_run_find(&a->run, q->runs, q->run_count, err);
	if (!s)
		s = wm_paths_init(&a->paths, err);
	if (!s)
		s = read_ranks(rd, &load, q, err);
	return s;
}

enum wm_status wm_analysis_read(struct wm_analysis *a,
				const struct wm_request *q, struct wm_err *err)
{
	unsigned scans = 0;
	enum wm_status s;

	for (;;) {
		struct reading rd = { .a = a,
				      .events = q->wish.needs != 0,
				      .several = q->several };

		s = read_run(&rd, q, err);
		if (!s && (rd.changed || rd.ended) && ++scans < MOST_SCANS) {
			wm_retainer_release(&rd.retainer);
			wm_analysis_release(a);
			continue;
		}
		if (!s)
			s = put_together(&rd, err);
		wm_retainer_release(&rd.retainer);
		return s;
	}
}

const struct wm_origin *wm_analysis_origin(const struct wm_analysis *a,
					   size_t index)
{
	const struct wm_origin *o = &a->ranks[index].origin;

	return o->shared ? &a->origin : o;
}

const struct wm_census *wm_analysis_census(const struct wm_analysis *a,
					   size_t index)
{
	const struct wm_rank *r = &a->ranks[index];
	const struct wm_bundle *b = a->programs[r->program_index].bundle;
	const uint8_t *id;
	size_t n;

	if (!b)
		return NULL;
	id = wm_bundle_build_id(b, &n);
	if (n != r->exe.build_id_size ||
	    (n && memcmp(id, r->exe.build_id, n) != 0))
		return NULL;
	return wm_bundle_census(b);
}

void wm_analysis_release(struct wm_analysis *a)
{
	size_t i;

	wm_origin_release(&a->origin);
	if (a->symbols)
		wm_symbols_release(a->symbols);
	free(a->symbols);
	if (a->forwarders)
		free(a->forwarders->folded);
	free(a->forwarders);
	wm_rules_release(&a->rules);
	for (i = 0; i < a->rank_count; i++)
		wm_rank_release(&a->ranks[i]);
	for (i = 0; i < a->node_count; i++)
		wm_node_peak_release(&a->node[i]);
	free(a->node);
	for (i = 0; i < a->each_count; i++)
		free(a->each[i].number);
	free(a->each);
	for (i = 0; i < a->note_count; i++)
		free(a->notes[i]);
	for (i = 0; i < a->program_count; i++) {
		wm_bundle_free(a->programs[i].bundle);
		free(a->programs[i].bundle_path);
	}
	wm_paths_release(&a->paths);
	wm_annotations_release(&a->annotations);
	wm_series_release(&a->series);
	wm_series_release(&a->phase_series);
	wm_series_release(&a->name_series);
	for (i = 0; i < WM_RETAINED_COUNT; i++)
		wm_series_release(&a->retained[i].series);
	wm_pages_release(&a->pages);
	wm_threads_release(&a->by_thread);
	wm_access_table_release(&a->accesses);
	wm_simulated_release(&a->simulated);
	wm_sum_release(&a->sum);
	free(a->lifetime);
	wm_run_release(&a->run);
	free(a->ranks);
	free(a->notes);
	free(a->missing);
	for (i = 0; i < WM_RETAINED_COUNT; i++)
		free(a->retained[i].use);
	free(a->programs);
	free(a->bundles);
	memset(a, 0, sizeof(*a));
}
