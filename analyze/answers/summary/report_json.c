/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the object of --json that every report has (docs/json.md).
 * Users' scripts depend on it: keys are added, never changed; otherwise
 * "schema" changes.
 */
#include <stdbool.h>

#include "analyze/answers/report.h"

#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"
#include "analyze/answers/summary/notes_json.h"
#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/reports.h"
#include "analyze/answers/text.h"

static void put_capped(const struct wm_analysis *a, struct wm_json *j)
{
	wm_json_array(j, "capped_ranks");
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_usage *u = &a->ranks[i].usage;
		bool known = u->has_usable;

		if (!u->capped)
			continue;
		WM_JSON_ROW(j, NULL,
			    "rank max_bytes events_not_written "
			    "usable_peak_bytes usable_end_bytes "
			    "usable_allocated_bytes",
			    a->ranks[i].rank, u->capped, u->not_written,
			    wm_known(known, u->usable_peak),
			    wm_known(known, u->usable_live),
			    wm_known(known, u->usable_total));
	}
	wm_json_end_array(j);
}

/* Writes the highest value of the ranks, the rank that has it, and whether it
 * is only a lower bound because a rank that was killed may have had more. */
static void put_highest(const struct wm_analysis *a, const char *key,
			uint64_t (*of)(const struct wm_rank *r),
			struct wm_json *j)
{
	bool sampled = false;
	size_t i, max = 0;

	for (i = 0; i < a->rank_count; i++) {
		if (of(&a->ranks[i]) > of(&a->ranks[max]))
			max = i;
		sampled |= wm_rank_is_sampled(&a->ranks[i]);
	}
	WM_JSON_ROW(j, key, "max? max_rank lower_bound!", of(&a->ranks[max]),
		    a->ranks[max].rank, sampled);
}

static uint64_t resident(const struct wm_rank *r)
{
	return r->peak_rss;
}

static uint64_t footprint(const struct wm_rank *r)
{
	return r->footprint_peak;
}

/* Lists the numbers of the ranks for which @is returns true. */
static void list_ranks(const struct wm_analysis *a, const char *key,
		       bool (*is)(const struct wm_rank *r), struct wm_json *j)
{
	wm_json_flat_array(j, key);
	for (size_t i = 0; i < a->rank_count; i++)
		if (is(&a->ranks[i]))
			wm_json_uint(j, NULL, a->ranks[i].rank);
	wm_json_end_array(j);
}

static bool is_salvaged(const struct wm_rank *r)
{
	return !wm_rank_is_whole(r);
}

void wm_json_run(const struct wm_analysis *a, struct wm_json *j)
{
	WM_JSON_ADD(j,
		    "program id traced_ranks ranks left_out_ranks nodes "
		    "duration_s.9",
		    a->name, a->id, a->traced_ranks, a->job_size, a->left_out,
		    a->nodes, a->seconds);
	wm_json_provenance(a, j);
	wm_json_ask(a, j);
	wm_json_bool(j, "complete", a->complete);
	list_ranks(a, "salvaged_ranks", is_salvaged, j);
	WM_JSON_LIST(j, "missing_ranks", i, a->missing_listed, a->missing[i]);
	list_ranks(a, "lost_end_ranks", wm_rank_lost_its_end, j);
	WM_JSON_ADD(j, "window_events cut_path_events accesses_lost",
		    a->crash_buffer_events, a->paths_cut, a->accesses_lost);
	put_capped(a, j);
	wm_json_array(j, "children");
	for (size_t i = 0; i < a->run.child_count; i++) {
		WM_JSON_ROW(j, NULL, "rank pid file", a->run.children[i].rank,
			    a->run.children[i].pid, a->run.children[i].path);
	}
	wm_json_end_array(j);
	WM_JSON_LIST(j, "notes", i, a->note_count, a->notes[i]);
}

static void put_heap(const struct wm_analysis *a, struct wm_json *j)
{
	const struct wm_rank *max = &a->ranks[a->max], *min = &a->ranks[a->min];
	uint64_t at_most = 0;

	for (size_t i = 0; i < a->rank_count; i++)
		if (a->ranks[i].in[WM_HOST].peak_at_most > at_most)
			at_most = a->ranks[i].in[WM_HOST].peak_at_most;
	wm_json_object(j, "heap");
	WM_JSON_OBJECT(j, "peak",
		       "max max_rank max_at_most min min_rank mean.3 stddev.3",
		       max->in[WM_HOST].peak_bytes, max->rank, at_most,
		       min->in[WM_HOST].peak_bytes, min->rank, a->mean,
		       a->stddev);
	put_highest(a, "footprint", footprint, j);
	wm_json_end_object(j);
}

static void put_families(const struct wm_analysis *a, struct wm_json *j)
{
	wm_json_object(j, "families");
	for (size_t k = 0; k < WM_FAMILIES; k++) {
		const struct wm_rank *r = &a->ranks[a->family_max[k]];

		WM_JSON_ROW(j, wm_family_name[k],
			    "in_peak! peak peak_rank at_peak",
			    wm_family_in_peak[k], r->family[k].peak_bytes,
			    r->rank, a->ranks[a->max].family[k].at_peak_bytes);
	}
	wm_json_end_object(j);
}

static void put_static(const struct wm_analysis *a, struct wm_json *j)
{
	size_t i = a->chosen == WM_ALL_RANKS ? a->max : a->chosen;
	const struct wm_census *c = wm_analysis_census(a, i);

	if (!c) {
		wm_json_text(j, "static", NULL);
		return;
	}
	wm_json_object(j, "static");
	wm_json_static(c, j);
	wm_json_end_object(j);
}

static void put_events(const struct wm_analysis *a, struct wm_json *j)
{
	const uint64_t *k = a->kind;

	WM_JSON_OBJECT(j, "events",
		       "malloc calloc realloc free aligned failed new delete "
		       "map unmap remap brk shm shm_gone mpi mpi_free "
		       "thread_stacks dropped unknown_free inherited_free "
		       "conflicts total",
		       k[WMT_EV_MALLOC], k[WMT_EV_CALLOC], wm_calls_realloc(k),
		       k[WMT_EV_FREE], k[WMT_EV_ALIGNED], k[WMT_EV_FAILED],
		       k[WMT_EV_NEW], k[WMT_EV_DELETE], k[WMT_EV_MAP],
		       k[WMT_EV_UNMAP], k[WMT_EV_REMAP_IN],
		       k[WMT_EV_BREAK_UP] + k[WMT_EV_BREAK_DOWN], k[WMT_EV_SHM],
		       k[WMT_EV_SHM_GONE], k[WMT_EV_MPI_ALLOC],
		       k[WMT_EV_MPI_FREE], k[WMT_EV_THREAD_STACK], a->dropped,
		       a->unknown_free, a->inherited_free, a->conflicts,
		       wm_calls_total(k));
}

static void put_tool(const struct wm_analysis *a, struct wm_json *j)
{
	const struct wm_tool *t = &a->tool;
	bool told = t->start != 0;

	WM_JSON_OBJECT(j, "tool",
		       "memory_bytes resident_bytes? trace_bytes start_bytes "
		       "thread_bytes paths_bytes",
		       t->memory, t->resident, a->trace_bytes,
		       wm_known(told, t->start), wm_known(told, t->thread),
		       wm_known(told, t->paths));
}

/* Writes the functions at the peak, and MPI's share of the peak. */
static enum wm_status put_holders(const struct wm_analysis *a,
				  struct wm_json *j, struct wm_err *err)
{
	struct wm_functions f;
	enum wm_status s = wm_functions_make(&f, a, WM_AT_PEAK, err);

	if (!s)
		s = wm_json_functions(a, &f, NULL, j, "functions", err);
	if (!s)
		s = wm_mpi_share_json(a, &f, j, err);
	wm_functions_release(&f);
	return s;
}

enum wm_status wm_json_sums(const struct wm_analysis *a, struct wm_doc *d,
			    struct wm_err *err)
{
	struct wm_json *j = &d->data;
	enum wm_status s = wm_tell_ranks(a, true, WM_FOR_DATA, d, err);

	if (s)
		return s;
	put_heap(a, j);
	put_families(a, j);
	wm_json_object(j, "memory");
	put_highest(a, "rss", resident, j);
	wm_json_end_object(j);
	put_static(a, j);
	put_events(a, j);
	put_tool(a, j);
	return WM_OK;
}

enum wm_status wm_report_common(const struct wm_analysis *a, struct wm_doc *d,
				struct wm_err *err)
{
	struct wm_json *j = &d->data;
	enum wm_status s;

	wm_json_text(j, "schema", WM_JSON_SCHEMA);
	wm_json_object(j, "run");
	wm_json_run(a, j);
	wm_json_end_object(j);
	s = wm_json_sums(a, d, err);
	if (s)
		return s;
	wm_json_rank(j, a);
	wm_json_moment(j, a);
	s = wm_tell_deaths(a, 0, WM_FOR_DATA, d, err);
	if (!s)
		s = wm_tell_failed(a, 0, WM_FOR_DATA, d, err);
	if (!s)
		s = put_holders(a, j, err);
	if (!s)
		s = wm_json_leaks(a, j, err);
	return s ? s : wm_json_notes(a, d, err);
}
