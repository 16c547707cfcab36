/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/lib/base/whole.h"
#include "analyze/answers/need/need.h"
#include "analyze/render/table.h"
#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

#define CHILDREN_SHOWN 10
#define FUNCTIONS_SHOWN 5
#define PHASES_SHOWN 16
#define NAMES_SHOWN 10
#define SNAPSHOTS_SHOWN 10
#define PROGRAMS_SHOWN 4
#define DEATHS_SHOWN 10
#define FAILED_SHOWN 3

/* Lists the programs of an MPMD job; the heading names the first rank's
 * program. */
static void put_programs(const struct wm_analysis *a, struct wm_doc *d)
{
	size_t i, k, n, first, shown = 0;

	if (a->program_count < 2)
		return;
	for (k = 0; k < a->program_count && shown < PROGRAMS_SHOWN; k++) {
		for (i = n = first = 0; i < a->rank_count; i++) {
			if (a->ranks[i].program_index != k)
				continue;
			first = n++ ? first : i;
		}
		if (!n)
			continue;
		wm_doc_print(d, "%s%s (%zu rank%s)",
			     shown++ ? ", " : "  programs: ",
			     a->ranks[first].program ? a->ranks[first].program :
						       "?",
			     n, n == 1 ? "" : "s");
	}
	wm_doc_print(d, "%s", k < a->program_count ? " ...\n" : "\n");
}

static void put_run(const struct wm_analysis *a, struct wm_doc *d)
{
	struct wm_figure b, c;

	wm_doc_title(d, "%s  run %s", a->name, a->id);
	wm_doc_print(d,
		     "  %zu of %" PRIu64 " rank%s on %" PRIu64 " node%s, "
		     "%s, %s of traces\n",
		     a->rank_count, a->job_size, a->job_size == 1 ? "" : "s",
		     a->nodes, a->nodes == 1 ? "" : "s",
		     wm_seconds(&b, a->seconds), wm_bytes(&c, a->trace_bytes));
	put_programs(a, d);
	wm_tell_provenance(a, d);
}

/* Adds forked children, which have traces of their own and are no ranks. */
static void put_children(const struct wm_analysis *a, struct wm_doc *d)
{
	size_t i, n = a->run.child_count;

	if (!n)
		return;
	wm_doc_heading(d,
		       "%zu forked child%s, counted only in what to ask for: "
		       "analyse %s by name",
		       n, n == 1 ? "" : "ren", n == 1 ? "it" : "each");
	for (i = 0; i < n && i < CHILDREN_SHOWN; i++) {
		wm_doc_print(d, "  ");
		wm_text_plain(a->run.children[i].path, d);
		wm_doc_print(d, "\n");
	}
	if (i < n)
		wm_doc_print(d, "  and %zu more\n", n - i);
}

static void add_peak(const struct wm_analysis *a, const char *what, size_t i,
		     struct wm_table *t)
{
	const struct wm_rank *r = &a->ranks[i];
	char phase[WM_PHASE_TEXT];
	struct wm_figure b;

	wm_fact(t, what, r->in[WM_HOST].peak_bytes);
	wm_table_format(t, "rank %" PRIu64 " at %s%s%s%s", r->rank,
			wm_seconds(&b, r->in[WM_HOST].peak_seconds),
			r->host ? " on " : "", r->host ? r->host : "",
			wm_peak_phase(r, phase));
}

/* Adds the memory of calls that were under way, which no time stamp covers.  Up
 * to 0.1 % of the peak is not worth a line. */
static void add_at_most(const struct wm_rank *r, struct wm_table *t)
{
	struct wm_figure b;

	if (r->in[WM_HOST].peak_at_most - r->in[WM_HOST].peak_bytes <=
	    r->in[WM_HOST].peak_bytes / 1000)
		return;
	wm_fact(t, "at most", r->in[WM_HOST].peak_at_most);
	wm_table_format(t, "with calls that were under way in its %s threads",
			wm_count(&b, r->threads));
}

/* Adds how long the peak lasted, as a peak of an instant needs a look of its
 * own. */
static void add_duration(const struct wm_rank *r, struct wm_table *t)
{
	struct wm_figure b, c;

	if (!r->in[WM_HOST].peak_bytes)
		return;
	wm_fact_more(t);
	wm_table_format(t, "at 99 %% of it or more for %s, at 90 %% for %s",
			wm_duration(&b, r->in[WM_HOST].peak_99_seconds),
			wm_duration(&c, r->in[WM_HOST].peak_90_seconds));
}

static bool any_family(const struct wm_analysis *a)
{
	for (size_t k = WM_FAMILY_heap + 1; k < WM_FAMILIES; k++)
		if (a->ranks[a->family_max[k]].family[k].peak_bytes)
			return true;
	return false;
}

/* Returns whether only the heap counts for the peaks. */
static bool has_only_heap(const struct wm_analysis *a)
{
	for (size_t k = WM_FAMILY_heap + 1; k < WM_FAMILIES; k++)
		if (wm_family_in_peak[k] &&
		    a->ranks[a->family_max[k]].family[k].peak_bytes)
			return false;
	return true;
}

static void put_peaks(const struct wm_analysis *a, struct wm_doc *d)
{
	struct wm_table t;

	wm_doc_heading(d, "%s high-water mark (requested bytes%s)",
		       has_only_heap(a) ? "Heap" : "Memory",
		       a->rank_count > 1 ? ", per rank" : "");
	wm_facts_init(&t);
	add_peak(a, "highest", a->max, &t);
	add_duration(&a->ranks[a->max], &t);
	add_at_most(&a->ranks[a->max], &t);
	if (a->rank_count > 1) {
		add_peak(a, "lowest", a->min, &t);
		wm_fact(&t, "mean", wm_rounded(a->mean));
		wm_fact(&t, "stddev", wm_rounded(a->stddev));
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

/* Adds a row for each family, if there is more than the heap. */
static void put_families(const struct wm_analysis *a, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "family", "        ", WM_UNIT_WORDS },
		{ "at", "at that peak", WM_UNIT_BYTES },
		{ "own", "     own peak", WM_UNIT_BYTES },
		{ "what", "", WM_UNIT_WORDS },
	};
	const struct wm_rank *top = &a->ranks[a->max];
	struct wm_table t;

	if (!any_family(a))
		return;
	wm_doc_heading(d, "By kind of memory");
	WM_TABLE_INIT(&t, columns);
	for (size_t k = 0; k < WM_FAMILIES; k++) {
		const struct wm_rank *r = &a->ranks[a->family_max[k]];

		if (k != WM_FAMILY_heap && !r->family[k].peak_bytes)
			continue;
		WM_TABLE_ADD(&t, wm_family_name[k],
			     top->family[k].at_peak_bytes,
			     r->family[k].peak_bytes, wm_family_what[k]);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

/* Adds the most memory that the allocator had from the system, with how much of
 * it was used, and the memory that it had at the end. */
static void add_footprint(const struct wm_rank *r, struct wm_table *t)
{
	static const char from[] = "the most that malloc took from the system";
	static const char looked[] =
		"at least: what malloc had taken by the last sample";
	const struct wm_family_use *heap = &r->family[WM_FAMILY_heap];
	const struct wm_family_use *mpi = &r->family[WM_FAMILY_mpi];
	struct wm_figure b;

	if (!r->footprint_peak)
		return;
	wm_fact(t, "system", r->footprint_peak);
	/* MPI may take what it gives from malloc, or map it: it is unknown */
	if (wm_rank_is_sampled(r))
		wm_table_text(t, looked);
	else if (mpi->peak_bytes)
		wm_table_format(t,
				"%s: for the heap, perhaps for "
				"MPI_Alloc_mem and the like, too",
				from);
	else if (heap->peak_bytes)
		wm_table_format(t, "%s, %.2f times the heap's peak", from,
				(double)r->footprint_peak /
					(double)heap->peak_bytes);
	else
		wm_table_text(t, from);
	if (!r->footprint || wm_rank_is_sampled(r))
		return;
	wm_fact(t, "at end", r->footprint);
	/* the end is that of the process, not that of its trace */
	if (wm_rank_is_cut(r))
		wm_table_text(t, "that malloc still had when the trace ended");
	else
		wm_table_format(
			t,
			"that malloc still had at the end, for %s never freed",
			wm_bytes(&b, heap->end_bytes + mpi->end_bytes));
}

/* Adds the resident memory.  The kernel does not count the heap: resident
 * memory includes pages of code, libraries, stacks and the tool, and no pages
 * that were never touched. */
static void add_resident(const struct wm_rank *r, struct wm_table *t)
{
	struct wm_figure b;

	if (!r->peak_rss)
		return;
	wm_fact(t, "resident", r->peak_rss);
	if (wm_rank_is_sampled(r) && r->usage.rss_count)
		wm_table_format(t, "at least: the last sample was taken at %s",
				wm_seconds(&b, (double)r->usage.rss_last_ns *
						       1e-9));
	else if (r->tool.resident)
		wm_table_format(
			t, "the most in RAM at a time, %s of it the tool's",
			wm_bytes(&b, r->tool.resident));
	else if (r->tool.memory)
		wm_table_format(t,
				"most in RAM at a time, up to %s of it "
				"the tool's",
				wm_bytes(&b, r->tool.memory));
	else
		wm_table_text(t,
			      "the most in RAM at a time, the tool's part is "
			      "not known");
}

static void add_stacks(const struct wm_rank *r, const struct wm_rank_need *need,
		       struct wm_table *t)
{
	bool sampled = wm_rank_is_sampled(r);

	if (r->usage.stack_peak) {
		wm_fact(t, "stack", r->usage.stack_peak);
		wm_table_text(t, sampled ? "at least: of the main thread, by "
					   "the last sample" :
					   "of the main thread, at most");
	}
	if (!need->thread_stacks)
		return;
	wm_fact(t, "stacks", need->thread_stacks);
	wm_table_format(t, "%sof threads, resident%s",
			sampled ? "at least: " : "",
			need->stacks_estimated ? ", estimated" :
						 " in the samples");
}

static void add_static(const struct wm_census *c, struct wm_table *t)
{
	struct wm_figure b[3];

	if (c) {
		wm_fact(t, "static", c->static_bytes);
		wm_table_format(t, ".data %s, .bss %s, TLS %s",
				wm_bytes(&b[0], c->data),
				wm_bytes(&b[1], c->bss),
				wm_bytes(&b[2], c->tls));
		return;
	}
	wm_table_at(t, NULL);
	wm_table_text(t, "static");
	wm_table_text_or(t, NULL, "?");
	wm_table_at(t, ".remark");
	wm_table_text(t, "no census of this program");
}

static void put_needs(const struct wm_analysis *a, struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[a->max];
	const struct wm_census *c = wm_analysis_census(a, a->max);
	struct wm_rank_need need;
	struct wm_table t;

	wm_rank_need_find(&need, a, a->max);
	wm_doc_heading(d, "Need of rank %" PRIu64, r->rank);
	wm_facts_init(&t);
	wm_fact(&t, has_only_heap(a) ? "heap" : "memory",
		r->in[WM_HOST].peak_bytes);
	add_static(c, &t);
	wm_fact(&t, "total",
		r->in[WM_HOST].peak_bytes + (c ? c->static_bytes : 0));
	wm_table_text(&t, c ? "without stacks" :
			      "without stacks and static memory");
	add_footprint(r, &t);
	add_resident(r, &t);
	add_stacks(r, &need, &t);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static enum wm_status put_holders(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_functions f;
	struct wm_figure b;
	enum wm_status s = wm_functions_make(&f, a, WM_AT_PEAK, err);

	if (s)
		return s;
	wm_doc_heading(d, "Holders of the heap at the peak of %s%s",
		       wm_chosen(&b, a),
		       a->chosen == WM_ALL_RANKS ? " (each at its own)" : "");
	wm_text_functions(a, &f, wm_top(o, FUNCTIONS_SHOWN), 0, d);
	s = wm_mpi_share_text(a, &f, d, err);
	wm_functions_release(&f);
	return s;
}

static void add_sum(struct wm_table *t, const char *what)
{
	wm_table_at(t, NULL);
	wm_table_text(t, what);
}

static void add_left(struct wm_table *t, const struct wm_analysis *a)
{
	struct wm_figure b[3];

	if (a->cut_ranks < a->rank_count) {
		add_sum(t, "never freed");
		wm_table_format(t, "%s in %s",
				wm_bytes(&b[0], a->end_bytes - a->held_bytes),
				wm_blocks(&b[1],
					  a->end_blocks - a->held_blocks));
	}
	if (!a->cut_ranks)
		return;
	add_sum(t, "held");
	wm_table_format(t,
			"%s in %s by %s rank%s that %s killed, or whose "
			"trace ended early",
			wm_bytes(&b[0], a->held_bytes),
			wm_blocks(&b[1], a->held_blocks),
			wm_count(&b[2], a->cut_ranks),
			a->cut_ranks == 1 ? "" : "s",
			a->cut_ranks == 1 ? "was" : "were");
}

static void add_events(struct wm_table *t, const uint64_t *k)
{
	struct wm_figure b[4];

	add_sum(t, "events");
	wm_table_format(t, "%s: malloc %s, calloc %s, realloc %s,",
			wm_count(&b[0], wm_calls_total(k)),
			wm_count(&b[1], k[WMT_EV_MALLOC]),
			wm_count(&b[2], k[WMT_EV_CALLOC]),
			wm_count(&b[3], wm_calls_realloc(k)));
	add_sum(t, NULL);
	wm_table_format(t, "free %s, aligned %s, failed %s",
			wm_count(&b[0], k[WMT_EV_FREE]),
			wm_count(&b[1], k[WMT_EV_ALIGNED]),
			wm_count(&b[2], k[WMT_EV_FAILED]));
	if (!wm_calls_other(k))
		return;
	add_sum(t, NULL);
	wm_table_format(t, "of them other than malloc and its like: %s",
			wm_count(&b[0], wm_calls_other(k)));
}

/* Adds lines about losses and other faults. */
static void add_odd(struct wm_table *t, const struct wm_analysis *a)
{
	struct wm_figure b[2];

	if (a->dropped) {
		add_sum(t, "dropped");
		wm_table_text(t, wm_count(&b[0], a->dropped));
	}
	if (a->paths_cut) {
		add_sum(t, "cut paths");
		wm_table_format(t,
				"the call paths of %s events are not "
				"whole, for lack of memory",
				wm_count(&b[0], a->paths_cut));
	}
	if (a->crash_buffer_events) {
		add_sum(t, "windows");
		wm_table_format(t,
				"%s of the events are in no trace, but in "
				"windows of killed processes",
				wm_count(&b[0], a->crash_buffer_events));
	}
	if (a->unknown_free || a->conflicts) {
		add_sum(t, "odd");
		wm_table_format(t,
				"frees of unknown blocks: %s; "
				"allocations on top of live ones: %s",
				wm_count(&b[0], a->unknown_free),
				wm_count(&b[1], a->conflicts));
	}
	if (a->inherited_free) {
		add_sum(t, "inherited");
		wm_table_format(t, "frees of blocks from before the fork: %s",
				wm_count(&b[0], a->inherited_free));
	}
	if (a->paused_ranks) {
		add_sum(t, "paused");
		wm_table_format(t,
				"allocations that were not recorded: %s; "
				"frees of such blocks: %s",
				wm_count(&b[0], a->paused_allocations),
				wm_count(&b[1], a->unrecorded));
	}
}

static void add_tool(struct wm_table *t, const struct wm_analysis *a)
{
	uint64_t total = wm_calls_total(a->kind);
	struct wm_figure b[3];
	char memory[96] = "", resident[96] = "";

	if (a->tool.memory)
		snprintf(memory, sizeof(memory),
			 ", at most %s of memory in a "
			 "rank",
			 wm_bytes(&b[1], a->tool.memory));
	if (a->tool.resident)
		snprintf(resident, sizeof(resident), ", %s resident",
			 wm_bytes(&b[2], a->tool.resident));
	add_sum(t, "the tool");
	wm_table_format(t, "%s of traces (%.2f bytes an event)%s%s",
			wm_bytes(&b[0], a->trace_bytes),
			total ? (double)a->trace_bytes / (double)total : 0.0,
			memory, resident);
}

static void put_sums(const struct wm_analysis *a, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "what", "           ", WM_UNIT_WORDS },
		{ "sum", "", WM_UNIT_WORDS },
	};
	struct wm_table t;

	wm_doc_heading(d, a->rank_count > 1 ? "Sums over all ranks" : "Sums");
	WM_TABLE_INIT(&t, columns);
	add_left(&t, a);
	add_events(&t, a->kind);
	add_odd(&t, a);
	add_tool(&t, a);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static enum wm_status put_people(const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	enum wm_status s;

	put_run(a, d);
	s = wm_tell_ask(a, d, err);
	if (s)
		return s;
	wm_text_notes(a, d);
	s = wm_tell_failed(a, wm_top(o, FAILED_SHOWN), WM_FOR_TEXT, d, err);
	if (!s)
		s = wm_tell_deaths(a, wm_top(o, DEATHS_SHOWN), WM_FOR_TEXT, d,
				   err);
	if (s)
		return s;
	put_children(a, d);
	put_peaks(a, d);
	put_families(a, d);
	put_needs(a, d);
	s = put_holders(a, o, d, err);
	if (s)
		return s;
	wm_tell_names(a, wm_top(o, NAMES_SHOWN), WM_FOR_TEXT, d);
	wm_tell_phases(a, wm_top(o, PHASES_SHOWN), WM_FOR_TEXT, d);
	wm_tell_snapshots(a, wm_top(o, SNAPSHOTS_SHOWN), d);
	wm_tell_marks(a, wm_top(o, SNAPSHOTS_SHOWN), WM_FOR_TEXT, d);
	wm_tell_regions(a, wm_top(o, NAMES_SHOWN), WM_FOR_TEXT, d);
	if (a->rank_count > 1)
		s = wm_tell_ranks(a, o->top_given && !o->top, WM_FOR_TEXT, d,
				  err);
	if (!s)
		put_sums(a, d);
	return s;
}

/* Writes the summary.  JSON has its data in every report (report_json.c). */
static enum wm_status summary_build(const struct wm_analysis *a,
				    const struct wm_opts *o, struct wm_doc *d,
				    struct wm_err *err)
{
	enum wm_status s = WM_OK;

	if (wm_doc_wants(d, WM_FOR_TEXT))
		s = put_people(a, o, d, err);
	return s ? s : wm_tell_ranks(a, true, WM_FOR_CSV, d, err);
}

const struct wm_report wm_summary_report = {
	.name = "summary",
	.help = "the run on one page (default)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(working_set),
	.build = summary_build,
};
