/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/job/facts.h"
#include "analyze/job/crew.h"
#include "analyze/job/scan_heads.h"
#include "analyze/symbols/namesakes.h"
#include "input/rank_list.h"

#define MAX_MISSING 4096
#define MAX_CHOICE (1u << 24)
/* If files of a run change between scan and reading, both are repeated.  A file
 * that changes in the last round has an error. */
#define MOST_SCANS 3

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

struct reading {
	struct wm_analysis *a;
	struct wm_retainer retainer;
	size_t failed;
	struct wm_err first;
	bool changed; /* a file changed since the scan */
	bool ended; /* a process ended since the scan */
	bool events;
	bool several;
	bool asks;
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
		if (rd->failed <= WM_MAX_NOTES)
			wm_analysis_note(a, true, "%s", why->text);
		a->partial = true;
		return WM_OK;
	}
	if (!WM_ROOM(a->ranks, a->rank_cap, a->rank_count + 1)) {
		wm_rank_release(r);
		return wm_no_memory(err, NULL);
	}
	/* the process may have written its last blocks after they were read */
	rd->ended |= !r->ended && a->run.files[i].running == WM_RUNNING_YES &&
		     wm_facts_running(r) == WM_RUNNING_NO;
	r->ranks = a->run.files[i].ranks;
	r->program_index = a->run.files[i].program;
	r->node = a->node_count; /* the node is delivered after its ranks */
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
	if (WM_APPEND(a->node, a->node_cap, a->node_count, *n))
		return WM_OK;
	wm_node_peak_release(n);
	return wm_no_memory(err, NULL);
}

static void add_tool(struct wm_tool *most, const struct wm_tool *t)
{
	wm_raise(&most->memory, t->memory);
	wm_raise(&most->resident, t->resident);
	wm_raise(&most->start, t->start);
	wm_raise(&most->thread, t->thread);
	wm_raise(&most->paths, t->paths);
}

static void add_up(struct wm_analysis *a)
{
	double sum = 0, squares = 0, d;

	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (r->in[WM_HOST].peak_bytes >
		    a->ranks[a->max].in[WM_HOST].peak_bytes)
			a->max = i;
		if (r->in[WM_HOST].peak_bytes <
		    a->ranks[a->min].in[WM_HOST].peak_bytes)
			a->min = i;
		for (size_t k = 0; k < WM_FAMILIES; k++) {
			struct wm_rank *top = &a->ranks[a->family_max[k]];

			if (r->family[k].peak_bytes > top->family[k].peak_bytes)
				a->family_max[k] = i;
		}
		if (wm_rank_end(r) > a->seconds)
			a->seconds = wm_rank_end(r);
		sum += (double)r->in[WM_HOST].peak_bytes;
		for (size_t k = 0; k < WMT_EV_LIMIT; k++)
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
		a->end_bytes += r->in[WM_HOST].end_bytes;
		a->end_blocks += r->in[WM_HOST].end_blocks;
		if (wm_rank_is_cut(r)) {
			a->cut_ranks++;
			a->capped_ranks += r->ended;
			a->held_bytes += r->in[WM_HOST].end_bytes;
			a->held_blocks += r->in[WM_HOST].end_blocks;
		}
		a->trace_bytes += r->trace_bytes;
		a->crash_buffer_events += r->crash_buffer_events;
		add_tool(&a->tool, &r->tool);
		wm_raise(&a->peak_rss, r->peak_rss);
		wm_raise(&a->job_size, r->ranks);
	}
	a->mean = sum / (double)a->rank_count;
	for (size_t i = 0; i < a->rank_count; i++) {
		d = (double)a->ranks[i].in[WM_HOST].peak_bytes - a->mean;
		squares += d * d;
	}
	a->stddev = sqrt(squares / (double)a->rank_count);
	wm_raise(&a->job_size, a->rank_count);
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

/* Returns WM_RANKS if all traces have the same list: other ranks were then not
 * wanted.  Otherwise returns NULL. */
static const char *find_choice(const struct wm_analysis *a)
{
	const char *list = a->ranks[0].traced_ranks;
	uint64_t lowest;

	/* damage can claim many ranks, and a loop runs over the ranks */
	if (a->job_size > MAX_CHOICE)
		return NULL;
	for (size_t i = 0; i < a->rank_count && list; i++)
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
				 "WM_RANKS=%.200s: this report is about "
				 "these",
				 a->rank_count, a->job_size, a->traced_ranks);
}

static enum wm_status find_missing(struct wm_analysis *a, struct wm_err *err)
{
	uint64_t rank = 0;
	size_t i = 0;

	a->traced_ranks = find_choice(a);
	/* if the user names files, no rank is missing */
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
	if (a->missing_count == 1)
		wm_analysis_note(a, true,
				 "no trace of rank %" PRIu64 ", one of %" PRIu64
				 " ranks",
				 a->missing[0], a->job_size);
	else
		wm_analysis_note(a, true,
				 "no trace of %" PRIu64 " of %" PRIu64
				 " ranks, the first of them is rank %" PRIu64,
				 a->missing_count, a->job_size, a->missing[0]);
	return WM_OK;
}

static enum wm_status put_together(struct reading *rd, struct wm_err *err)
{
	struct wm_analysis *a = rd->a;
	enum wm_status s;

	if (!a->rank_count && rd->failed > 1)
		return wm_err_set(err, WM_BAD_INPUT,
				  "none of %zu traces can "
				  "be read",
				  rd->failed);
	if (!a->rank_count) {
		while (a->note_count) /* the error has the same text */
			free(a->notes[--a->note_count]);
		return wm_err_set(err, WM_BAD_INPUT, "%.400s",
				  rd->first.text[0] ? rd->first.text :
						      "no traces");
	}
	if (rd->failed > WM_MAX_NOTES)
		wm_analysis_note(a, true, "%zu traces cannot be read",
				 rd->failed);
	s = wm_retainer_finish(&rd->retainer, a, err);
	if (!s)
		s = wm_held_names_find(a, err);
	if (!s)
		s = wm_analysis_check_moment(a, err);
	if (!s && rd->asks)
		s = wm_children_read(a, err);
	if (s)
		return s;
	add_up(a);
	a->partial |= a->run.unread;
	a->complete = !rd->failed && !a->dropped && !a->run.unread;
	for (size_t i = 0; i < a->rank_count; i++)
		a->complete &= wm_rank_is_whole(&a->ranks[i]) &&
			       !a->ranks[i].usage.capped &&
			       !a->ranks[i].overwritten;
	for (size_t i = 0; i < a->run.note_count; i++)
		wm_analysis_note(a, a->run.parted, "%s", a->run.notes[i]);
	if ((s = count_nodes(a, err)) || (s = find_missing(a, err)))
		return s;
	s = wm_analysis_notes(a, rd->events, err);
	if (s)
		return s;
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

/* Reads the run; sums and notes are made later. */
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
	a->namesakes = q->namesakes;
	if (q->at_time)
		wish.needs |= WM_NEEDS(heap) | WM_NEEDS(moment);
	s = wm_rules_init(&a->rules, q->fold, q->fold_count, err);
	if (!s)
		s = wm_run_find(&a->run, q->runs, q->run_count, err);
	/* each report has the memory to ask for */
	if (!s && wish.needs & WM_NEEDS(heap))
		wish.needs |= WM_NEEDS(course);
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
				      .several = q->several,
				      .asks = q->wish.needs & WM_NEEDS(heap) };

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
	void *const owned[] = {
		a->symbols, a->forwarders, a->own_namesakes, a->node,
		a->each,    a->lifetime,   a->ranks,	     a->notes,
		a->missing, a->programs,   a->bundles,
	};

	wm_origin_release(&a->origin);
	if (a->symbols)
		wm_symbols_release(a->symbols);
	if (a->forwarders)
		free(a->forwarders->folded);
	if (a->own_namesakes)
		wm_namesakes_release(a->own_namesakes);
	wm_rules_release(&a->rules);
	for (size_t i = 0; i < a->rank_count; i++)
		wm_rank_release(&a->ranks[i]);
	for (size_t i = 0; i < a->node_count; i++)
		wm_node_peak_release(&a->node[i]);
	for (size_t i = 0; i < a->each_count; i++)
		free(a->each[i].number);
	for (size_t i = 0; i < a->note_count; i++)
		free(a->notes[i]);
	for (size_t i = 0; i < a->program_count; i++) {
		wm_bundle_free(a->programs[i].bundle);
		free(a->programs[i].bundle_path);
	}
	wm_paths_release(&a->paths);
	wm_annotations_release(&a->annotations);
	wm_series_release(&a->series);
	wm_series_release(&a->phase_series);
	wm_series_release(&a->name_series);
	for (size_t i = 0; i < WM_RETAINED_COUNT; i++) {
		wm_series_release(&a->retained[i].series);
		free(a->retained[i].use);
	}
	wm_pages_release(&a->pages);
	wm_threads_release(&a->by_thread);
	wm_access_table_release(&a->accesses);
	wm_simulated_release(&a->simulated);
	wm_sum_release(&a->sum);
	wm_run_release(&a->run);
	for (size_t i = 0; i < sizeof(owned) / sizeof(*owned); i++)
		free(owned[i]);
	memset(a, 0, sizeof(*a));
}
