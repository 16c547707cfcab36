/* SPDX-License-Identifier: Apache-2.0 */
/* --imbalance: how memory is spread over ranks, the need of each node at one
 * time, and the sites that make ranks differ. */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"
#include "analyze/job/retained.h"
#include "analyze/answers/ranks/imbalance.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "wm/search.h"

#define SITES_SHOWN 8
#define NODES_SHOWN 16
#define PARTS_SHOWN 8
#define PHASE_SHOWN 40 /* columns */

static void add_rank(struct wm_table *t, const char *what,
		     const struct wm_rank *r)
{
	struct wm_figure b;

	wm_fact(t, what, r->in[WM_HOST].peak_bytes);
	wm_table_format(t, "rank %" PRIu64 " at %s%s%s", r->rank,
			wm_seconds(&b, r->in[WM_HOST].peak_seconds),
			r->host ? " on " : "", r->host ? r->host : "");
}

static void put_ranks(const struct wm_imbalance *m, const struct wm_analysis *a,
		      struct wm_doc *d)
{
	const struct wm_rank *worst = &a->ranks[a->max];
	struct wm_table t;
	char what[16];

	wm_doc_heading(d, "High-water marks of ranks");
	wm_facts_init(&t);
	add_rank(&t, "highest", worst);
	for (size_t i = WM_PERCENTILES; i-- > 0;) {
		snprintf(what, sizeof(what), "%u %%", wm_percentile[i]);
		wm_fact(&t, what, m->percentile[i]);
	}
	add_rank(&t, "lowest", &a->ranks[a->min]);
	wm_fact(&t, "mean", wm_rounded(a->mean));
	if (a->mean > 0)
		wm_table_format(&t, "the highest is %.2f times that",
				(double)worst->in[WM_HOST].peak_bytes /
					a->mean);
	wm_fact(&t, "stddev", wm_rounded(a->stddev));
	if (a->mean > 0)
		wm_table_format(&t, "%.1f %% of the mean",
				100 * a->stddev / a->mean);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static void add_working_set(struct wm_table *t, const char *what,
			    uint64_t bytes, const struct wm_rank *r)
{
	struct wm_figure b;

	wm_fact(t, what, bytes);
	wm_table_format(t, "rank %" PRIu64 ", of %s at its peak", r->rank,
			wm_bytes(&b, r->in[WM_HOST].peak_bytes));
}

static void put_working_sets(const struct wm_imbalance *m,
			     const struct wm_analysis *a, struct wm_doc *d)
{
	const struct wm_working_sets *w = &m->sets;
	size_t unknown = a->rank_count - w->ranks;
	struct wm_table t;

	if (!w->ranks)
		return;
	wm_doc_heading(d, "working sets of ranks: the most that one accessed "
			  "in an epoch");
	wm_facts_init(&t);
	add_working_set(&t, "highest", w->high, &a->ranks[w->max]);
	add_working_set(&t, "lowest", w->low, &a->ranks[w->min]);
	wm_fact(&t, "mean", wm_rounded(w->mean));
	if (w->mean > 0)
		wm_table_format(&t, "the highest is %.2f times that",
				(double)w->high / w->mean);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	if (unknown)
		wm_doc_print(d,
			     "  not known for %zu rank%s: pages or reads "
			     "were not watched\n",
			     unknown, unknown == 1 ? "" : "s");
}

/* Returns whether difference @by has this @sign; 0: any sign. */
static bool has_sign(int64_t by, int sign)
{
	return sign < 0 ? by < 0 : sign > 0 ? by > 0 : by != 0;
}

/* Sums up the sites of @list without the first @shown that have @sign. */
static void put_others(const struct wm_site_differences *list, int sign,
		       size_t shown, struct wm_doc *d)
{
	int64_t more = 0, less = 0;
	size_t mores = 0, lesses = 0, k = 0;
	struct wm_figure b;

	for (size_t i = 0; i < list->count; i++) {
		int64_t by = list->site[i].difference;

		if (has_sign(by, sign) && k++ < shown)
			continue;
		more += by > 0 ? by : 0;
		mores += by > 0;
		less -= by < 0 ? by : 0;
		lesses += by < 0;
	}
	if (mores)
		wm_doc_print(d, "  %zu other%s: %s more\n", mores,
			     mores == 1 ? " has" : "s have",
			     wm_bytes(&b, (uint64_t)more));
	if (lesses)
		wm_doc_print(d, "  %zu other%s: %s less\n", lesses,
			     lesses == 1 ? " has" : "s have",
			     wm_bytes(&b, (uint64_t)less));
}

/* Lists sites of @list whose difference has this @sign; 0: any sign. */
static void put_differences(const struct wm_site_differences *list, int sign,
			    const struct wm_opts *o, struct wm_doc *d)
{
	size_t top = wm_top(o, SITES_SHOWN);
	struct wm_site_differences some = { .count = 0 };

	some.site = calloc(list->count + 1, sizeof(*some.site));
	for (size_t i = 0; some.site && i < list->count; i++)
		if (has_sign(list->site[i].difference, sign))
			some.site[some.count++] = list->site[i];
	if (some.count) {
		wm_imbalance_sites(&some, top, WM_FOR_TEXT, d);
		put_others(list, sign, top ? top : some.count, d);
	} else {
		wm_doc_print(d, "  no site differs\n");
	}
	free(some.site);
}

/* Writes "1.8 MiB more than the mean of 4 ranks in phase 'solve'". */
static void put_basis(const struct wm_analysis *a, const struct wm_rank *r,
		      const char *what, const struct wm_site_differences *list,
		      struct wm_doc *d)
{
	bool more = r->in[WM_HOST].peak_bytes >= list->mean;
	double first = r->in[WM_HOST].peak_seconds, last = first;
	char phase[4 * PHASE_SHOWN + 1];
	struct wm_figure b, c;

	wm_doc_heading(d, "rank %" PRIu64 "%s: its sites beside their mean",
		       r->rank, what);
	wm_doc_print(d, "  %s %s than the mean of %" PRIu64 " ranks",
		     wm_bytes(&b,
			      more ? r->in[WM_HOST].peak_bytes - list->mean :
				     list->mean - r->in[WM_HOST].peak_bytes),
		     more ? "more" : "less", list->ranks);
	if (list->phase) {
		wm_doc_print(d,
			     " in phase '%s', each at its highest moment "
			     "there\n",
			     wm_cut(list->phase, PHASE_SHOWN, phase));
		return;
	}
	for (size_t i = 0; i < a->rank_count; i++) {
		double at = a->ranks[i].in[WM_HOST].peak_seconds;

		first = at < first ? at : first;
		last = at > last ? at : last;
	}
	wm_doc_print(d, ", each at its own peak\n");
	if (strcmp(wm_seconds(&b, first), wm_seconds(&c, last)) != 0)
		wm_doc_print(d,
			     "  These peaks lie between %s and %s; other "
			     "sites may hold memory at each of them.\n",
			     b.s, c.s);
}

/* Writes the reasons for the need of the chosen rank or, if no rank was chosen,
 * of the worst and of the best rank. */
static void put_reasons(const struct wm_imbalance *m,
			const struct wm_analysis *a, const struct wm_opts *o,
			struct wm_doc *d)
{
	if (m->chosen.site) {
		put_basis(a, &a->ranks[a->chosen], "", &m->chosen, d);
		put_differences(&m->chosen, 0, o, d);
		return;
	}
	put_basis(a, &a->ranks[a->max], " needs most", &m->worst, d);
	put_differences(&m->worst, 1, o, d);
	put_basis(a, &a->ranks[a->min], " needs least", &m->best, d);
	put_differences(&m->best, -1, o, d);
}

static int by_part(const void *a, const void *b)
{
	const struct wm_node_part *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(x->rank, y->rank));
}

static void put_parts(const struct wm_node_row *n, const struct wm_opts *o,
		      struct wm_doc *d)
{
	size_t top = wm_top(o, PARTS_SHOWN), i;
	struct wm_node_part *p;
	struct wm_figure b;

	if (!n->node_peak->exact || n->node_peak->parts < 2)
		return;
	p = malloc(n->node_peak->parts * sizeof(*p));
	if (!p)
		return;
	memcpy(p, n->node_peak->part, n->node_peak->parts * sizeof(*p));
	WM_SORT(p, n->node_peak->parts, by_part);
	wm_doc_print(d, "\n  %s at %s:", n->host, wm_instant(&b, n->seconds));
	for (i = 0; i < n->node_peak->parts && (!top || i < top); i++)
		wm_doc_print(d, "%s rank %" PRIu64 " %s", i ? "," : "",
			     p[i].rank, wm_bytes(&b, p[i].bytes));
	if (i < n->node_peak->parts)
		wm_doc_print(d, " and %zu more", n->node_peak->parts - i);
	wm_doc_print(d, "\n");
	free(p);
}

static enum wm_status put_nodes(const struct wm_imbalance *m,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err)
{
	enum wm_status s;

	wm_doc_heading(d, "nodes: the most bytes that all ranks of one "
			  "requested at the same time");
	s = wm_imbalance_nodes(m, wm_top(o, NODES_SHOWN), WM_FOR_TEXT, d, err);
	if (!s && m->nodes)
		put_parts(&m->node[m->top], o, d);
	return s;
}

/* Adds a note if several ranks of a node may have the same memory. */
static void put_shared(const struct wm_imbalance *m,
		       const struct wm_analysis *a, struct wm_doc *d)
{
	uint64_t sum = 0, once = 0;
	struct wm_figure b, c;

	for (size_t i = 0; i < a->rank_count; i++)
		sum += a->ranks[i].family[WM_FAMILY_shm].at_peak_bytes;
	for (size_t i = 0; i < m->nodes; i++)
		once += m->node[i].shared;
	if (sum && once >= sum)
		wm_doc_print(d,
			     "  shared memory counts in each rank that maps "
			     "it, %s in all: a node needs less where ranks "
			     "share it\n",
			     wm_bytes(&b, sum));
	else if (sum)
		wm_doc_print(d,
			     "  shared memory: %s in the peaks of the ranks "
			     "that have it, %s once a node\n",
			     wm_bytes(&b, sum), wm_bytes(&c, once));
}

static void put_remarks(const struct wm_imbalance *m,
			const struct wm_analysis *a, const struct wm_opts *o,
			struct wm_doc *d)
{
	size_t i, lower = 0, unknown = 0;
	struct wm_figure b, c;

	for (i = 0; i < m->nodes; i++) {
		lower += m->node[i].lower_bound != 0;
		unknown += m->node[i].unknown_static;
	}
	wm_doc_print(d, "\n");
	if (lower)
		wm_doc_print(d,
			     "  %zu node%s may need more: ranks or their "
			     "events are %s\n",
			     lower, lower == 1 ? "" : "s",
			     a->left_out ? "missing or not traced" : "missing");
	for (i = 0; i < m->nodes; i++) {
		const struct wm_node_peak *x = m->node[i].node_peak;

		if (!x->exact)
			wm_doc_print(d,
				     "  %s: too many ranks to be read side by "
				     "side; its peak is between %s and %s\n",
				     m->node[i].host, wm_bytes(&b, x->low),
				     wm_bytes(&c, x->high));
	}
	if (unknown)
		wm_doc_print(d,
			     "  static memory of %zu rank%s is not known: no "
			     "census\n",
			     unknown, unknown == 1 ? "" : "s");
	put_shared(m, a, d);
	if (!m->node_memory)
		wm_doc_print(d, "  --node-memory SIZE shows whether that "
				"fits\n");
	if (!o->svg)
		wm_doc_print(d, "  --svg FILE draws ranks x time\n");
}

static enum wm_status put_people(const struct wm_imbalance *m,
				 const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	enum wm_status s;

	wm_doc_title(d, "%s  run %s: %zu rank%s on %zu node%s", a->name, a->id,
		     a->rank_count, a->rank_count == 1 ? "" : "s", m->nodes,
		     m->nodes == 1 ? "" : "s");
	wm_text_notes(a, d);
	put_ranks(m, a, d);
	put_working_sets(m, a, d);
	if (a->rank_count > 1)
		put_reasons(m, a, o, d);
	s = put_nodes(m, o, d, err);
	put_remarks(m, a, o, d);
	return s ? s : wm_tell_fit(a, o, WM_FOR_TEXT, d, err);
}

static enum wm_status imbalance_build(const struct wm_analysis *a,
				      const struct wm_opts *o, struct wm_doc *d,
				      struct wm_err *err)
{
	struct wm_imbalance m;
	enum wm_status s = wm_imbalance_make(&m, a, o->node_memory, err);

	if (s)
		return s;
	if (o->rank_given && a->chosen != WM_ALL_RANKS)
		s = wm_imbalance_choose(&m, a, err);
	if (!s && wm_doc_wants(d, WM_FOR_TEXT))
		s = put_people(&m, a, o, d, err);
	s = s ? s : wm_imbalance_data(&m, a, o, d, err);
	if (!s && wm_doc_wants(d, WM_FOR_CSV))
		s = wm_tell_ranks_over_time(a, &m.map, d, err);
	wm_imbalance_release(&m);
	return s;
}

static enum wm_status imbalance_svg(const struct wm_analysis *a,
				    const struct wm_opts *o, FILE *out,
				    struct wm_err *err)
{
	struct wm_imbalance m;
	enum wm_status s = wm_imbalance_make(&m, a, o->node_memory, err);

	if (s)
		return s;
	wm_heatmap_svg(&m, a, out);
	wm_imbalance_release(&m);
	return WM_OK;
}

const struct wm_report wm_imbalance_report = {
	.name = "imbalance",
	.help = "ranks compared, peaks of nodes (--svg: a heat map)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases) | WM_NEEDS(timeline) |
		 WM_NEEDS(node) | WM_NEEDS(working_set),
	.retains = WM_RETAINS(max) | WM_RETAINS(min) | WM_RETAINS(all),
	.build = imbalance_build,
	.svg = imbalance_svg,
};
