/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: ranks and nodes, as columns. */
#include "analyze/report/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/passes/annotations.h"
#include "analyze/report/reports.h"

#define NODES 4096
#define SITES 100

/* The row of phase_names, added when it is new; PHASES: there is no room. */
static size_t phase_row(struct wm_page *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->phases; i++)
		if (p->phase[i] == name ||
		    (p->phase[i] && name && strcmp(p->phase[i], name) == 0))
			return i;
	if (p->phases == WM_PAGE_PHASES)
		return WM_PAGE_PHASES;
	p->phase[p->phases] = name;
	return p->phases++;
}

/* Those of the chosen rank first, in their order. */
static void put_phase_names(struct wm_page *p)
{
	const struct wm_annotations *n = &p->a->annotations;
	struct wm_json *j = &p->d.data;
	size_t i, left_out = 0;

	for (i = 0; i < n->phase_count; i++)
		left_out += phase_row(p, n->phase[i].name) == WM_PAGE_PHASES;
	for (i = 0; i < p->a->rank_count; i++)
		if (p->a->ranks[i].peak_phase)
			phase_row(p, p->a->ranks[i].peak_phase);
	if (left_out)
		wm_page_bound(
			p, "%zu phases have no name here: there is room for %d",
			left_out, WM_PAGE_PHASES);
	wm_json_array(j, "phase_names");
	for (i = 0; i < p->phases; i++)
		wm_json_text(j, NULL, p->phase[i]);
	wm_json_end_array(j);
}

/* A value of a rank; false: not known. */
typedef bool rank_value(struct wm_page *p, size_t i, uint64_t *v);

#define VALUE(name, is_known, value)                                           \
	static bool rank_##name(struct wm_page *p, size_t i, uint64_t *v)      \
	{                                                                      \
		const struct wm_rank *r = &p->a->ranks[i];                     \
                                                                               \
		(void)r;                                                       \
		*v = (value);                                                  \
		return (is_known);                                             \
	}

VALUE(rank, true, r->rank)
VALUE(start_ns, true, wm_page_ns(r->begin))
VALUE(time_ns, true, wm_page_ns(r->seconds))
VALUE(high_water, true, r->peak_bytes)
VALUE(high_water_at_most, true, r->peak_at_most)
VALUE(at_ns, true, wm_page_ns(r->peak_seconds))
VALUE(events, true, wm_calls_total(r->tally.kind))
VALUE(unfreed, true, r->end_bytes)
VALUE(unfreed_blocks, true, r->end_blocks)
VALUE(held, true, wm_rank_is_cut(r))
VALUE(whole, true, wm_rank_is_whole(r))
VALUE(threads, true, r->threads)
VALUE(resident, r->peak_rss != 0, r->peak_rss)
VALUE(stack, r->usage.stack_peak != 0, r->usage.stack_peak)
VALUE(footprint, r->footprint_peak != 0, r->footprint_peak)
VALUE(footprint_end, r->footprint_peak != 0, r->footprint)
VALUE(tool, r->tool.resident != 0, r->tool.resident)
VALUE(lower_bound, true, wm_rank_is_sampled(r))
VALUE(at_node_peak, p->a->node[r->node].exact, p->m.part[i])
VALUE(mapped, true, r->family[WM_FAMILY_mapped].peak_bytes)
VALUE(shm, true, r->family[WM_FAMILY_shm].peak_bytes)
VALUE(mpi, true, r->family[WM_FAMILY_mpi].peak_bytes)

static bool rank_phase(struct wm_page *p, size_t i, uint64_t *v)
{
	const char *name = p->a->ranks[i].peak_phase;

	*v = name ? phase_row(p, name) : WM_PAGE_PHASES;
	return *v != WM_PAGE_PHASES;
}

static bool rank_static(struct wm_page *p, size_t i, uint64_t *v)
{
	const struct wm_census *c = wm_analysis_census(p->a, i);

	*v = c ? c->static_bytes : 0;
	return c != NULL;
}

static bool rank_working_set(struct wm_page *p, size_t i, uint64_t *v)
{
	return wm_working_set(&p->a->ranks[i].page_totals, v);
}

/* The row of `nodes`. */
static bool rank_node(struct wm_page *p, size_t i, uint64_t *v)
{
	const struct wm_node_peak *x = &p->a->node[p->a->ranks[i].node];
	size_t from = 0, to = p->m.nodes;

	/* rows are in the order of the analysis */
	while (from < to) {
		size_t k = from + (to - from) / 2;

		if (p->m.node[k].node_peak < x)
			from = k + 1;
		else
			to = k;
	}
	*v = from;
	return from < NODES;
}

static const struct rank_column {
	const char *key;
	rank_value *value;
	bool optional; /* left out where it is 0 everywhere */
} rank_columns[] = {
	{ "rank", rank_rank, false },
	{ "node", rank_node, false },
	{ "start_ns", rank_start_ns, false },
	{ "time_ns", rank_time_ns, false },
	{ "high_water", rank_high_water, false },
	{ "high_water_at_most", rank_high_water_at_most, false },
	{ "at_ns", rank_at_ns, false },
	{ "phase", rank_phase, false },
	{ "events", rank_events, false },
	{ "unfreed", rank_unfreed, false },
	{ "unfreed_blocks", rank_unfreed_blocks, false },
	{ "held", rank_held, false },
	{ "whole", rank_whole, false },
	{ "threads", rank_threads, false },
	{ "static", rank_static, false },
	{ "resident", rank_resident, false },
	{ "stack", rank_stack, false },
	{ "footprint", rank_footprint, false },
	{ "footprint_end", rank_footprint_end, false },
	{ "tool", rank_tool, false },
	{ "working_set", rank_working_set, false },
	{ "at_node_peak", rank_at_node_peak, false },
	{ "lower_bound", rank_lower_bound, true },
	{ "mapped", rank_mapped, true },
	{ "shm", rank_shm, true },
	{ "mpi", rank_mpi, true },
};

static void put_ranks(struct wm_page *p)
{
	struct wm_json *j = &p->d.data;
	size_t i, k;
	uint64_t v;

	wm_json_object(j, "ranks");
	for (k = 0; k < sizeof(rank_columns) / sizeof(*rank_columns); k++) {
		const struct rank_column *c = &rank_columns[k];
		bool any = !c->optional;

		for (i = 0; i < p->a->rank_count && !any; i++)
			any = c->value(p, i, &v) && v;
		if (!any)
			continue;
		wm_json_array(j, c->key);
		for (i = 0; i < p->a->rank_count; i++) {
			bool known = c->value(p, i, &v);

			wm_json_known(j, NULL, known, v);
		}
		wm_json_end_array(j);
	}
	wm_json_end_object(j);
}

enum node_key {
	NODE_RANKS,
	NODE_PEAK,
	NODE_AT,
	NODE_EXACT,
	NODE_LOWER_BOUND,
	NODE_SUM_OF_PEAKS,
	NODE_STATIC,
	NODE_WITHOUT_STATIC,
	NODE_LOW,
	NODE_HIGH,
	NODE_ALLOCATOR,
	NODE_RESIDENT,
	NODE_ASK,
	NODE_WORKING_SET,
	NODE_KEYS
};

static const char *const node_keys[NODE_KEYS] = {
	[NODE_RANKS] = "ranks",
	[NODE_PEAK] = "peak",
	[NODE_AT] = "at_ns",
	[NODE_EXACT] = "exact",
	[NODE_LOWER_BOUND] = "lower_bound",
	[NODE_SUM_OF_PEAKS] = "sum_of_peaks",
	[NODE_STATIC] = "static",
	[NODE_WITHOUT_STATIC] = "ranks_without_static",
	[NODE_LOW] = "low",
	[NODE_HIGH] = "high",
	[NODE_ALLOCATOR] = "allocator",
	[NODE_RESIDENT] = "resident",
	[NODE_ASK] = "ask",
	[NODE_WORKING_SET] = "working_set",
};

static bool node_value(const struct wm_node_row *n, enum node_key k,
		       uint64_t *v)
{
	const struct wm_node_peak *x = n->node_peak;
	const uint64_t values[NODE_KEYS] = {
		[NODE_RANKS] = x->parts,
		[NODE_PEAK] = x->low,
		[NODE_AT] = wm_page_ns(n->seconds),
		[NODE_EXACT] = x->exact != 0,
		[NODE_LOWER_BOUND] = n->lower_bound != 0,
		[NODE_SUM_OF_PEAKS] = n->sum_of_peaks,
		[NODE_STATIC] = n->static_bytes,
		[NODE_WITHOUT_STATIC] = n->unknown_static,
		[NODE_LOW] = n->low,
		[NODE_HIGH] = n->high,
		[NODE_ALLOCATOR] = n->allocator,
		[NODE_RESIDENT] = n->resident,
		[NODE_ASK] = wm_with_margin(wm_node_need_bytes(&n->need)),
		[NODE_WORKING_SET] = n->working_set,
	};

	*v = values[k];
	if (k == NODE_PEAK || k == NODE_AT)
		return x->exact;
	if (k == NODE_STATIC)
		return n->unknown_static < x->parts;
	return k < NODE_ALLOCATOR || *v;
}

static void put_nodes(struct wm_page *p)
{
	size_t n = p->m.nodes < NODES ? p->m.nodes : NODES, i;
	struct wm_json *j = &p->d.data;
	enum node_key k;
	uint64_t v;

	wm_json_object(j, "nodes");
	wm_json_array(j, "name");
	for (i = 0; i < n; i++)
		wm_json_text(j, NULL, p->m.node[i].host);
	wm_json_end_array(j);
	for (k = 0; k < NODE_KEYS; k++) {
		wm_json_array(j, node_keys[k]);
		for (i = 0; i < n; i++) {
			bool known = node_value(&p->m.node[i], k, &v);

			wm_json_known(j, NULL, known, v);
		}
		wm_json_end_array(j);
	}
	wm_json_end_object(j);
	if (p->m.nodes > n)
		wm_page_bound(p,
			      "%zu nodes are left out: the first %d are here",
			      p->m.nodes - n, NODES);
	wm_json_known(j, "node_memory", p->m.node_memory != 0,
		      p->m.node_memory);
}

static void put_extreme(struct wm_page *p, const char *key, size_t rank,
			const struct wm_site_differences *list)
{
	const struct wm_rank *r = &p->a->ranks[rank];
	struct wm_site_differences some = *list;
	struct wm_json *j = &p->d.data;

	/* the largest come first */
	while (some.count && !some.site[some.count - 1].difference)
		some.count--;
	p->d.most = SITES;
	p->d.left_out = 0;
	wm_json_object(j, key);
	wm_json_uint(j, "rank", r->rank);
	wm_json_uint(j, "bytes", r->peak_bytes);
	wm_imbalance_basis(list, j);
	wm_imbalance_sites(&some, 0, WM_FOR_DATA, &p->d);
	wm_json_end_object(j);
	if (p->d.left_out)
		wm_page_bound(p,
			      "%" PRIu64 " sites by which the %s rank differs "
			      "from the mean are left out: wm-analyze "
			      "--imbalance --json has all",
			      p->d.left_out, key);
}

enum wm_status wm_page_ranks(struct wm_page *p, struct wm_err *err)
{
	struct wm_json *j = &p->d.data;

	(void)err;
	put_phase_names(p);
	put_ranks(p);
	put_nodes(p);
	wm_json_object(j, "difference");
	put_extreme(p, "worst", p->a->max, &p->m.worst);
	put_extreme(p, "best", p->a->min, &p->m.best);
	wm_json_end_object(j);
	wm_json_text(j, "axis", wm_job_clock_name[p->a->run.clock]);
	return WM_OK;
}
