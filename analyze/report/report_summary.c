/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/reports.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/base/whole.h"
#include "analyze/render/table.h"
#include "analyze/report/report.h"
#include "analyze/report/text.h"

/* Ranks that the table shows at most; of more, those with the highest peak. */
#define RANKS_SHOWN 16
#define CHILDREN_SHOWN 10
#define FUNCTIONS_SHOWN 5
#define PROGRAMS_SHOWN 4

/* The programs of an MPMD job: the heading names that of the first rank. */
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
	double seconds = 0;
	struct wm_buf b, c;
	size_t i;

	for (i = 0; i < a->rank_count; i++)
		if (a->ranks[i].seconds > seconds)
			seconds = a->ranks[i].seconds;
	wm_doc_title(d, "%s  run %s", a->name, a->id);
	wm_doc_print(d,
		     "  %zu of %" PRIu64 " rank%s on %" PRIu64 " node%s, "
		     "%s, %s of traces\n",
		     a->rank_count, a->job_size, a->job_size == 1 ? "" : "s",
		     a->nodes, a->nodes == 1 ? "" : "s",
		     wm_seconds(&b, seconds), wm_bytes(&c, a->trace_bytes));
	put_programs(a, d);
}

/* Forked children have traces of their own, and are no ranks. */
static void put_children(const struct wm_analysis *a, struct wm_doc *d)
{
	size_t i, n = a->run.child_count;

	if (!n)
		return;
	wm_doc_heading(d,
		       "%zu forked child%s, not counted here: analyse %s "
		       "by name",
		       n, n == 1 ? "" : "ren", n == 1 ? "it" : "each");
	for (i = 0; i < n && i < CHILDREN_SHOWN; i++) {
		wm_doc_print(d, "  ");
		wm_text_plain(a->run.children[i].path, d);
		wm_doc_print(d, "\n");
	}
	if (i < n)
		wm_doc_print(d, "  and %zu more\n", n - i);
}

static void put_peak(const struct wm_analysis *a, const char *what, size_t i,
		     struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[i];
	char phase[WM_PHASE_TEXT];
	struct wm_buf b, c, e;

	wm_doc_print(d, "  %-8s %11s  %20s  rank %" PRIu64 " at %s", what,
		     wm_bytes(&b, r->peak_bytes), wm_count(&c, r->peak_bytes),
		     r->rank, wm_seconds(&e, r->peak_seconds));
	if (r->host)
		wm_doc_print(d, " on %s", r->host);
	wm_doc_print(d, "%s\n", wm_peak_phase(r, phase));
}

/* What no stamp can tell: up to 0.1 % is not worth a line. */
static void put_at_most(const struct wm_rank *r, struct wm_doc *d)
{
	struct wm_buf b, c, e;

	if (r->peak_at_most - r->peak_bytes > r->peak_bytes / 1000)
		wm_doc_print(d,
			     "  %-8s %11s  %20s  with calls that were under "
			     "way in its %s threads\n",
			     "at most", wm_bytes(&b, r->peak_at_most),
			     wm_count(&c, r->peak_at_most),
			     wm_count(&e, r->threads));
}

/* A peak that is held for an instant only is worth a look of its own. */
static void put_duration(const struct wm_rank *r, struct wm_doc *d)
{
	struct wm_buf b, c;

	if (r->peak_bytes)
		wm_doc_print(d,
			     "  %-8s %11s  %20s  99 %% of it held for %s, 90 "
			     "%% "
			     "for %s\n",
			     "", "", "", wm_seconds(&b, r->peak_99_seconds),
			     wm_seconds(&c, r->peak_90_seconds));
}

static int any_family(const struct wm_analysis *a)
{
	size_t k;

	for (k = WM_FAMILY_heap + 1; k < WM_FAMILIES; k++)
		if (a->ranks[a->family_max[k]].family[k].peak_bytes)
			return 1;
	return 0;
}

/* Nothing but the heap counts for the peaks. */
static int has_only_heap(const struct wm_analysis *a)
{
	size_t k;

	for (k = WM_FAMILY_heap + 1; k < WM_FAMILIES; k++)
		if (wm_family_in_peak[k] &&
		    a->ranks[a->family_max[k]].family[k].peak_bytes)
			return 0;
	return 1;
}

static void put_peaks(const struct wm_analysis *a, struct wm_doc *d)
{
	struct wm_buf b, c;

	wm_doc_heading(d, "%s high-water mark (requested bytes%s)",
		       has_only_heap(a) ? "Heap" : "Memory",
		       a->rank_count > 1 ? ", per rank" : "");
	put_peak(a, "highest", a->max, d);
	put_duration(&a->ranks[a->max], d);
	put_at_most(&a->ranks[a->max], d);
	if (a->rank_count == 1)
		return;
	put_peak(a, "lowest", a->min, d);
	wm_doc_print(d, "  %-8s %11s  %20s\n", "mean",
		     wm_bytes(&b, wm_rounded(a->mean)),
		     wm_count(&c, wm_rounded(a->mean)));
	wm_doc_print(d, "  %-8s %11s  %20s\n", "stddev",
		     wm_bytes(&b, wm_rounded(a->stddev)),
		     wm_count(&c, wm_rounded(a->stddev)));
}

/* Family by family, where there is more than heap. */
static void put_families(const struct wm_analysis *a, struct wm_doc *d)
{
	static const char *const what[WM_FAMILIES] = {
		[WM_FAMILY_heap] = "malloc, new and the like",
		[WM_FAMILY_mapped] = "mmap, brk",
		[WM_FAMILY_shm] = "shared memory, whole in each rank",
		[WM_FAMILY_mpi] = "MPI_Alloc_mem, MPI_Win_allocate",
		[WM_FAMILY_stacks] = "of threads; not part of the peak",
	};
	const struct wm_rank *top = &a->ranks[a->max];
	struct wm_buf b[2];
	size_t k;

	if (!any_family(a))
		return;
	wm_doc_heading(d, "By kind of memory");
	wm_doc_print(d, "  %-8s %13s  %13s\n", "", "at that peak", "own peak");
	for (k = 0; k < WM_FAMILIES; k++) {
		const struct wm_rank *r = &a->ranks[a->family_max[k]];

		if (k == WM_FAMILY_heap || r->family[k].peak_bytes)
			wm_doc_print(d, "  %-8s %13s  %13s  %s\n",
				     wm_family_name[k],
				     wm_bytes(&b[0],
					      top->family[k].at_peak_bytes),
				     wm_bytes(&b[1], r->family[k].peak_bytes),
				     what[k]);
	}
}

/* What the allocator had from the system, and how much of that it used. */
static void put_footprint(const struct wm_rank *r, struct wm_doc *d)
{
	const struct wm_family_use *heap = &r->family[WM_FAMILY_heap];
	const struct wm_family_use *mpi = &r->family[WM_FAMILY_mpi];
	struct wm_buf b[3];

	if (!r->footprint_peak)
		return;
	wm_doc_print(d,
		     "  %-8s %11s  %20s  what the C library's "
		     "allocator had from the system",
		     "system", wm_bytes(&b[0], r->footprint_peak),
		     wm_count(&b[1], r->footprint_peak));
	/* MPI may have from malloc what it gives, or map it: not told */
	if (mpi->peak_bytes)
		wm_doc_print(d, ": for the heap, perhaps for MPI_Alloc_mem "
				"and the like, too");
	else if (heap->peak_bytes)
		wm_doc_print(d, ": %.2f of the heap's peak",
			     (double)r->footprint_peak /
				     (double)heap->peak_bytes);
	wm_doc_print(d, "\n");
	if (!r->footprint)
		return;
	wm_doc_print(d, "  %-8s %11s  %20s  of that", "at end",
		     wm_bytes(&b[0], r->footprint),
		     wm_count(&b[1], r->footprint));
	/* the process's end, not that of its trace */
	if (!wm_rank_is_cut(r))
		wm_doc_print(d, ", for %s that were never freed",
			     wm_bytes(&b[2], heap->end_bytes + mpi->end_bytes));
	wm_doc_print(d, "\n");
}

/* What the kernel counts is another quantity than the heap: it has pages of
 * code, libraries, stacks and the tool, and none that were never touched. */
static void put_resident(const struct wm_rank *r, struct wm_doc *d)
{
	struct wm_buf b[3];

	if (!r->peak_rss)
		return;
	wm_doc_print(d, "  %-8s %11s  %20s  highest resident set", "resident",
		     wm_bytes(&b[0], r->peak_rss),
		     wm_count(&b[1], r->peak_rss));
	if (r->tool.resident)
		wm_doc_print(d, ", the tool's %s in it\n",
			     wm_bytes(&b[2], r->tool.resident));
	else if (r->tool.memory)
		wm_doc_print(d, ", of the tool at most %s\n",
			     wm_bytes(&b[2], r->tool.memory));
	else
		wm_doc_print(d, ", the tool's part is not known\n");
}

static void put_needs(const struct wm_analysis *a, struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[a->max];
	const struct wm_census *c = wm_analysis_census(a, a->max);
	uint64_t total = r->peak_bytes + (c ? c->static_bytes : 0);
	struct wm_buf b[5];

	wm_doc_heading(d, "What rank %" PRIu64 " needs", r->rank);
	wm_doc_print(d, "  %-8s %11s  %20s\n",
		     has_only_heap(a) ? "heap" : "memory",
		     wm_bytes(&b[0], r->peak_bytes),
		     wm_count(&b[1], r->peak_bytes));
	if (c)
		wm_doc_print(d,
			     "  %-8s %11s  %20s  .data %s, .bss %s, TLS %s\n",
			     "static", wm_bytes(&b[0], c->static_bytes),
			     wm_count(&b[1], c->static_bytes),
			     wm_bytes(&b[2], c->data), wm_bytes(&b[3], c->bss),
			     wm_bytes(&b[4], c->tls));
	else
		wm_doc_print(d, "  %-8s %11s  no census of this program\n",
			     "static", "?");
	wm_doc_print(d, "  %-8s %11s  %20s%s\n", "total",
		     wm_bytes(&b[0], total), wm_count(&b[1], total),
		     c ? "" : "  without static memory");
	put_footprint(r, d);
	put_resident(r, d);
	if (r->usage.stack_peak)
		wm_doc_print(d,
			     "  %-8s %11s  %20s  of the main thread, at "
			     "most\n",
			     "stack", wm_bytes(&b[0], r->usage.stack_peak),
			     wm_count(&b[1], r->usage.stack_peak));
}

static enum wm_status put_holders(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_functions f;
	struct wm_buf b;
	enum wm_status s;

	s = wm_functions_make(&f, a, WM_AT_PEAK, err);
	if (s)
		return s;
	wm_doc_heading(d, "Who holds the heap at the peak of %s%s",
		       wm_chosen(&b, a),
		       a->chosen == WM_ALL_RANKS ? " (each at its own)" : "");
	wm_text_functions(a, &f, wm_top(o, FUNCTIONS_SHOWN), 0, d);
	s = wm_mpi_share_text(a, &f, d, err);
	wm_functions_release(&f);
	return s;
}

static void put_rank(const struct wm_rank *r, struct wm_doc *d)
{
	struct wm_buf b[5];

	wm_doc_print(d, "  %6" PRIu64 "  %-14.14s  %11s  %13s  %13s  %11s%s\n",
		     r->rank, r->host ? r->host : "?",
		     wm_bytes(&b[0], r->peak_bytes),
		     wm_seconds(&b[1], r->peak_seconds),
		     wm_count(&b[2], wm_calls_total(r->tally.kind)),
		     wm_bytes(&b[3], r->end_bytes),
		     wm_rank_is_cut(r) ? "  (held when its trace ended)" : "");
}

static int by_peak(const void *a, const void *b)
{
	const struct wm_rank *x = *(const struct wm_rank *const *)a;
	const struct wm_rank *y = *(const struct wm_rank *const *)b;

	if (x->peak_bytes != y->peak_bytes)
		return x->peak_bytes > y->peak_bytes ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* All of them by rank, or those with the highest peaks, these first. */
static enum wm_status put_ranks(const struct wm_analysis *a,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err)
{
	int all = a->rank_count <= RANKS_SHOWN || (o->top_given && !o->top);
	const struct wm_rank **r;
	size_t i;

	if (a->rank_count == 1)
		return WM_OK;
	r = calloc(a->rank_count, sizeof(*r));
	if (!r)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < a->rank_count; i++)
		r[i] = &a->ranks[i];
	if (all) {
		wm_doc_heading(d, "Ranks");
	} else {
		wm_doc_heading(d, "The %d ranks with the highest peaks",
			       RANKS_SHOWN);
		qsort(r, a->rank_count, sizeof(*r), by_peak);
	}
	wm_doc_print(d, "  %6s  %-14s  %11s  %13s  %13s  %11s\n", "rank",
		     "node", "heap peak", "at", "events", "never freed");
	for (i = 0; i < a->rank_count && (all || i < RANKS_SHOWN); i++)
		put_rank(r[i], d);
	free(r);
	return WM_OK;
}

static void put_rest(const struct wm_analysis *a, struct wm_doc *d)
{
	const uint64_t *k = a->kind;
	uint64_t total = wm_calls_total(k);
	struct wm_buf b[7];

	wm_doc_heading(d, a->rank_count > 1 ? "Sums over all ranks" : "Sums");
	wm_doc_print(d, "  never freed  %s in %s\n",
		     wm_bytes(&b[0], a->end_bytes - a->held_bytes),
		     wm_blocks(&b[1], a->end_blocks - a->held_blocks));
	if (a->cut_ranks)
		wm_doc_print(d,
			     "  held         %s in %s by %s rank%s that %s "
			     "killed, or whose trace ended early\n",
			     wm_bytes(&b[0], a->held_bytes),
			     wm_blocks(&b[1], a->held_blocks),
			     wm_count(&b[2], a->cut_ranks),
			     a->cut_ranks == 1 ? "" : "s",
			     a->cut_ranks == 1 ? "was" : "were");
	wm_doc_print(d,
		     "  events       %s: malloc %s, calloc %s, realloc %s,\n"
		     "               free %s, aligned %s, failed %s\n",
		     wm_count(&b[0], total), wm_count(&b[1], k[WMT_EV_MALLOC]),
		     wm_count(&b[2], k[WMT_EV_CALLOC]),
		     wm_count(&b[3], wm_calls_realloc(k)),
		     wm_count(&b[4], k[WMT_EV_FREE]),
		     wm_count(&b[5], k[WMT_EV_ALIGNED]),
		     wm_count(&b[6], k[WMT_EV_FAILED]));
	if (wm_calls_other(k))
		wm_doc_print(d,
			     "               of them other than malloc and "
			     "its like: %s\n",
			     wm_count(&b[0], wm_calls_other(k)));
	if (a->dropped)
		wm_doc_print(d, "  dropped      %s\n",
			     wm_count(&b[0], a->dropped));
	if (a->paths_cut)
		wm_doc_print(d,
			     "  cut paths    the call paths of %s events are "
			     "not whole, for lack of memory\n",
			     wm_count(&b[0], a->paths_cut));
	if (a->window_events)
		wm_doc_print(d,
			     "  windows      %s of the events are in no trace, "
			     "but in windows of killed processes\n",
			     wm_count(&b[0], a->window_events));
	if (a->unknown_free || a->conflicts)
		wm_doc_print(d,
			     "  odd          %s frees of unknown blocks, %s "
			     "allocations on top of live ones\n",
			     wm_count(&b[0], a->unknown_free),
			     wm_count(&b[1], a->conflicts));
	if (a->inherited_free)
		wm_doc_print(d,
			     "  inherited    %s frees of blocks from before "
			     "the fork\n",
			     wm_count(&b[0], a->inherited_free));
	if (a->paused_ranks)
		wm_doc_print(d,
			     "  paused       %s allocations were not recorded, "
			     "%s frees of such blocks were\n",
			     wm_count(&b[0], a->paused_allocations),
			     wm_count(&b[1], a->unrecorded));
	wm_doc_print(d, "  the tool     %s of traces (%.2f bytes an event)",
		     wm_bytes(&b[0], a->trace_bytes),
		     total ? (double)a->trace_bytes / (double)total : 0.0);
	if (a->tool.memory)
		wm_doc_print(d, ", at most %s of memory in a rank",
			     wm_bytes(&b[1], a->tool.memory));
	if (a->tool.resident)
		wm_doc_print(d, ", %s resident",
			     wm_bytes(&b[1], a->tool.resident));
	wm_doc_print(d, "\n");
}

static enum wm_status put_people(const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	enum wm_status s;

	put_run(a, d);
	wm_text_notes(a, d);
	put_children(a, d);
	put_peaks(a, d);
	put_families(a, d);
	put_needs(a, d);
	s = put_holders(a, o, d, err);
	if (s)
		return s;
	wm_text_names(a, o, d);
	wm_text_phases(a, o, d);
	wm_text_snapshots(a, o, d);
	s = put_ranks(a, o, d, err);
	if (!s)
		put_rest(a, d);
	return s;
}

static void put_known(struct wm_table *t, int known, uint64_t v)
{
	if (known)
		wm_table_uint(t, v);
	else
		wm_table_none(t);
}

static void put_table(const struct wm_analysis *a, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "rank", "rank", WM_UNIT_NUMBER },
		{ "node", "node", WM_UNIT_TEXT },
		{ "peak_bytes", "peak", WM_UNIT_BYTES },
		{ "peak_time_s", "at", WM_UNIT_SECONDS },
		{ "peak_phase", "phase", WM_UNIT_TEXT },
		{ "events", "events", WM_UNIT_COUNT },
		{ "unfreed_bytes", "never freed", WM_UNIT_BYTES },
		{ "unfreed_blocks", "in blocks", WM_UNIT_COUNT },
		{ "peak_rss_bytes", "resident", WM_UNIT_BYTES },
		{ "threads", "threads", WM_UNIT_COUNT },
		{ "time_s", "time", WM_UNIT_SECONDS },
		{ "static_bytes", "static", WM_UNIT_BYTES },
		{ "stack_bytes", "stack", WM_UNIT_BYTES },
		{ "footprint_peak_bytes", "system", WM_UNIT_BYTES },
		{ "footprint_end_bytes", "system, end", WM_UNIT_BYTES },
		{ "tool_bytes", "the tool", WM_UNIT_BYTES },
		{ NULL, NULL, 0 },
	};
	const struct wm_census *c;
	struct wm_table t;
	size_t i;

	wm_table_init(&t, columns);
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		wm_table_uint(&t, r->rank);
		wm_table_text(&t, r->host);
		wm_table_uint(&t, r->peak_bytes);
		wm_table_real(&t, r->peak_seconds);
		wm_table_text(&t, r->peak_phase);
		wm_table_uint(&t, wm_calls_total(r->tally.kind));
		wm_table_uint(&t, r->end_bytes);
		wm_table_uint(&t, r->end_blocks);
		wm_table_uint(&t, r->peak_rss);
		wm_table_uint(&t, r->threads);
		wm_table_real(&t, r->seconds);
		c = wm_analysis_census(a, i);
		put_known(&t, c != NULL, c ? c->static_bytes : 0);
		put_known(&t, r->usage.stack_peak != 0, r->usage.stack_peak);
		put_known(&t, r->footprint_peak != 0, r->footprint_peak);
		put_known(&t, r->footprint_peak != 0, r->footprint);
		put_known(&t, r->tool.memory != 0, r->tool.memory);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

/* JSON has it whatever the report (report_json.c). */
static enum wm_status summary_build(const struct wm_analysis *a,
				    const struct wm_opts *o, struct wm_doc *d,
				    struct wm_err *err)
{
	enum wm_status s = WM_OK;

	if (wm_doc_wants(d, WM_FOR_TEXT))
		s = put_people(a, o, d, err);
	if (!s && wm_doc_wants(d, WM_FOR_CSV))
		put_table(a, d);
	return s;
}

const struct wm_report wm_summary_report = {
	.name = "summary",
	.help = "the run on one page (default)",
	.needs = WM_NEEDS(heap),
	.build = summary_build,
};
