/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the object of --json has for every report (docs/json.md).  Others script
 * against it: keys are added, never changed, or "schema" changes.
 */
#include <stdbool.h>

#include "analyze/report/report.h"

#include "analyze/job/analysis.h"
#include "analyze/queries/functions.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"
#include "analyze/report/ask.h"
#include "analyze/report/json_notes.h"
#include "analyze/report/provenance.h"
#include "analyze/report/report_gates.h"
#include "analyze/report/reports.h"
#include "analyze/report/text.h"

static void put_capped(const struct wm_analysis *a, struct wm_json *j)
{
	wm_json_array(j, "capped_ranks");
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_usage *u = &a->ranks[i].usage;

		if (!u->capped)
			continue;
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", a->ranks[i].rank);
		wm_json_uint(j, "max_bytes", u->capped);
		wm_json_uint(j, "events_not_written", u->not_written);
		wm_json_known(j, "usable_peak_bytes", u->has_usable,
			      u->usable_peak);
		wm_json_known(j, "usable_end_bytes", u->has_usable,
			      u->usable_live);
		wm_json_known(j, "usable_allocated_bytes", u->has_usable,
			      u->usable_total);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

/* A rank that was killed may have had more than any. */
static void put_any_sampled(const struct wm_analysis *a, struct wm_json *j)
{
	bool any = false;
	size_t i;

	for (i = 0; i < a->rank_count; i++)
		any |= wm_rank_is_sampled(&a->ranks[i]);
	wm_json_bool(j, "lower_bound", any);
}

static void put_resident_ranks(const struct wm_analysis *a, struct wm_json *j)
{
	size_t i;

	wm_json_array(j, "per_rank");
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];
		const struct wm_usage *u = &r->usage;

		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", r->rank);
		wm_json_known(j, "peak_bytes", u->rss_peak != 0, u->rss_peak);
		wm_json_known(j, "end_bytes", u->rss_end != 0, u->rss_end);
		wm_json_known(j, "stack_bytes", u->stack_peak != 0,
			      u->stack_peak);
		wm_json_uint(j, "tool_bytes", r->tool.memory);
		wm_json_bool(j, "lower_bound", wm_rank_is_sampled(r));
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

/* Resident beside requested memory; null where no rank could see it. */
static void put_memory(const struct wm_analysis *a, bool lists,
		       struct wm_json *j)
{
	size_t i, max = 0;

	for (i = 0; i < a->rank_count; i++)
		if (a->ranks[i].peak_rss > a->ranks[max].peak_rss)
			max = i;
	wm_json_object(j, "memory");
	wm_json_object(j, "rss");
	wm_json_known(j, "max", a->ranks[max].peak_rss != 0,
		      a->ranks[max].peak_rss);
	wm_json_uint(j, "max_rank", a->ranks[max].rank);
	put_any_sampled(a, j);
	if (lists)
		put_resident_ranks(a, j);
	wm_json_end_object(j);
	wm_json_end_object(j);
}

static void put_tool(const struct wm_analysis *a, struct wm_json *j)
{
	const struct wm_tool *t = &a->tool;
	bool told = t->start != 0;

	wm_json_uint(j, "memory_bytes", t->memory);
	wm_json_known(j, "resident_bytes", t->resident != 0, t->resident);
	wm_json_known(j, "start_bytes", told, t->start);
	wm_json_known(j, "thread_bytes", told, t->thread);
	wm_json_known(j, "paths_bytes", told, t->paths);
}

void wm_json_run(const struct wm_analysis *a, struct wm_json *j)
{
	size_t i;

	wm_json_text(j, "program", a->name);
	wm_json_text(j, "id", a->id);
	wm_json_uint(j, "ranks", a->job_size);
	wm_json_text(j, "traced_ranks", a->traced_ranks);
	wm_json_uint(j, "left_out_ranks", a->left_out);
	wm_json_uint(j, "nodes", a->nodes);
	wm_json_provenance(a, j);
	wm_json_ask(a, j);
	wm_json_bool(j, "complete", a->complete);
	wm_json_flat_array(j, "salvaged_ranks");
	for (i = 0; i < a->rank_count; i++)
		if (!wm_rank_is_whole(&a->ranks[i]))
			wm_json_uint(j, NULL, a->ranks[i].rank);
	wm_json_end_array(j);
	wm_json_flat_array(j, "missing_ranks");
	for (i = 0; i < a->missing_listed; i++)
		wm_json_uint(j, NULL, a->missing[i]);
	wm_json_end_array(j);
	wm_json_flat_array(j, "lost_end_ranks");
	for (i = 0; i < a->rank_count; i++)
		if (wm_rank_lost_its_end(&a->ranks[i]))
			wm_json_uint(j, NULL, a->ranks[i].rank);
	wm_json_end_array(j);
	wm_json_uint(j, "window_events", a->crash_buffer_events);
	wm_json_uint(j, "cut_path_events", a->paths_cut);
	wm_json_uint(j, "accesses_lost", a->accesses_lost);
	put_capped(a, j);
	wm_json_array(j, "children");
	for (i = 0; i < a->run.child_count; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", a->run.children[i].rank);
		wm_json_uint(j, "pid", a->run.children[i].pid);
		wm_json_text(j, "file", a->run.children[i].path);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_array(j, "notes");
	for (i = 0; i < a->note_count; i++)
		wm_json_text(j, NULL, a->notes[i]);
	wm_json_end_array(j);
}

/* null where no rank has told it. */
static void put_footprint(const struct wm_analysis *a, bool lists,
			  struct wm_json *j)
{
	size_t i, max = 0;

	for (i = 0; i < a->rank_count; i++)
		if (a->ranks[i].footprint_peak > a->ranks[max].footprint_peak)
			max = i;
	if (!a->ranks[max].footprint_peak) {
		wm_json_text(j, "footprint", NULL);
		return;
	}
	wm_json_object(j, "footprint");
	wm_json_uint(j, "max", a->ranks[max].footprint_peak);
	wm_json_uint(j, "max_rank", a->ranks[max].rank);
	put_any_sampled(a, j);
	if (lists)
		wm_json_array(j, "per_rank");
	for (i = 0; lists && i < a->rank_count; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", a->ranks[i].rank);
		wm_json_uint(j, "peak_bytes", a->ranks[i].footprint_peak);
		wm_json_uint(j, "end_bytes", a->ranks[i].footprint);
		wm_json_bool(j, "lower_bound",
			     wm_rank_is_sampled(&a->ranks[i]));
		wm_json_end_object(j);
	}
	if (lists)
		wm_json_end_array(j);
	wm_json_end_object(j);
}

static enum wm_status put_heap(const struct wm_analysis *a, bool lists,
			       struct wm_doc *d, struct wm_err *err)
{
	struct wm_json *j = &d->data;
	enum wm_status s = WM_OK;
	uint64_t at_most = 0;
	size_t i;

	for (i = 0; i < a->rank_count; i++)
		if (a->ranks[i].peak_at_most > at_most)
			at_most = a->ranks[i].peak_at_most;
	wm_json_object(j, "heap");
	wm_json_object(j, "peak");
	wm_json_uint(j, "max", a->ranks[a->max].peak_bytes);
	wm_json_uint(j, "max_rank", a->ranks[a->max].rank);
	wm_json_uint(j, "max_at_most", at_most);
	wm_json_uint(j, "min", a->ranks[a->min].peak_bytes);
	wm_json_uint(j, "min_rank", a->ranks[a->min].rank);
	wm_json_real(j, "mean", a->mean, 3);
	wm_json_real(j, "stddev", a->stddev, 3);
	wm_json_end_object(j);
	if (lists)
		s = wm_tell_ranks(a, true, WM_FOR_DATA, d, err);
	put_footprint(a, lists, j);
	wm_json_end_object(j);
	return s;
}

/* What one rank holds of a family. */
static void put_family_rank(const struct wm_rank *r, size_t k,
			    struct wm_json *j)
{
	const struct wm_family_use *u = &r->family[k];

	wm_json_flat_object(j, NULL);
	wm_json_uint(j, "rank", r->rank);
	wm_json_uint(j, "peak_bytes", u->peak_bytes);
	wm_json_uint(j, "at_peak_bytes", u->at_peak_bytes);
	wm_json_uint(j, "unfreed_bytes", u->end_bytes);
	wm_json_uint(j, "unfreed_blocks", u->end_blocks);
	wm_json_end_object(j);
}

static void put_families(const struct wm_analysis *a, bool lists,
			 struct wm_json *j)
{
	size_t i, k;

	wm_json_object(j, "families");
	for (k = 0; k < WM_FAMILIES; k++) {
		const struct wm_rank *r = &a->ranks[a->family_max[k]];

		wm_json_object(j, wm_family_name[k]);
		wm_json_bool(j, "in_peak", wm_family_in_peak[k]);
		wm_json_uint(j, "peak", r->family[k].peak_bytes);
		wm_json_uint(j, "peak_rank", r->rank);
		wm_json_uint(j, "at_peak",
			     a->ranks[a->max].family[k].at_peak_bytes);
		if (lists)
			wm_json_array(j, "per_rank");
		for (i = 0; lists && i < a->rank_count; i++)
			put_family_rank(&a->ranks[i], k, j);
		if (lists)
			wm_json_end_array(j);
		wm_json_end_object(j);
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

	wm_json_object(j, "events");
	wm_json_uint(j, "malloc", k[WMT_EV_MALLOC]);
	wm_json_uint(j, "calloc", k[WMT_EV_CALLOC]);
	wm_json_uint(j, "realloc", wm_calls_realloc(k));
	wm_json_uint(j, "free", k[WMT_EV_FREE]);
	wm_json_uint(j, "aligned", k[WMT_EV_ALIGNED]);
	wm_json_uint(j, "failed", k[WMT_EV_FAILED]);
	wm_json_uint(j, "new", k[WMT_EV_NEW]);
	wm_json_uint(j, "delete", k[WMT_EV_DELETE]);
	wm_json_uint(j, "map", k[WMT_EV_MAP]);
	wm_json_uint(j, "unmap", k[WMT_EV_UNMAP]);
	wm_json_uint(j, "remap", k[WMT_EV_REMAP_IN]);
	wm_json_uint(j, "brk", k[WMT_EV_BREAK_UP] + k[WMT_EV_BREAK_DOWN]);
	wm_json_uint(j, "shm", k[WMT_EV_SHM]);
	wm_json_uint(j, "shm_gone", k[WMT_EV_SHM_GONE]);
	wm_json_uint(j, "mpi", k[WMT_EV_MPI_ALLOC]);
	wm_json_uint(j, "mpi_free", k[WMT_EV_MPI_FREE]);
	wm_json_uint(j, "thread_stacks", k[WMT_EV_THREAD_STACK]);
	wm_json_uint(j, "dropped", a->dropped);
	wm_json_uint(j, "unknown_free", a->unknown_free);
	wm_json_uint(j, "inherited_free", a->inherited_free);
	wm_json_uint(j, "conflicts", a->conflicts);
	wm_json_uint(j, "total", wm_calls_total(k));
	wm_json_end_object(j);
}

/* At the peak also what of it is MPI's. */
static enum wm_status put_holders(const struct wm_analysis *a,
				  struct wm_json *j, struct wm_err *err)
{
	struct wm_functions f;
	enum wm_status s;

	s = wm_functions_make(&f, a, WM_AT_PEAK, err);
	if (!s)
		s = wm_json_functions(a, &f, NULL, j, "functions", err);
	if (!s)
		s = wm_mpi_share_json(a, &f, j, err);
	wm_functions_release(&f);
	return s;
}

enum wm_status wm_json_sums(const struct wm_analysis *a, bool lists,
			    struct wm_doc *d, struct wm_err *err)
{
	struct wm_json *j = &d->data;
	enum wm_status s = put_heap(a, lists, d, err);

	if (s)
		return s;
	put_families(a, lists, j);
	put_memory(a, lists, j);
	put_static(a, j);
	put_events(a, j);
	wm_json_object(j, "tool");
	put_tool(a, j);
	wm_json_uint(j, "trace_bytes", a->trace_bytes);
	wm_json_end_object(j);
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
	s = wm_json_sums(a, true, d, err);
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
