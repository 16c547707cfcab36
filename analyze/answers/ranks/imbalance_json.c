/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of --imbalance in JSON (docs/json.md) and CSV. */
#include "analyze/answers/reports.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/texts.h"
#include "analyze/lib/base/units.h"
#include "analyze/answers/ranks/imbalance.h"
#include "analyze/answers/heap/profile.h"
#include "analyze/render/table.h"
#include "input/path.h"
#include "wm/search.h"

#define PAGE_SITES 100

static void add_site(struct wm_table *t, const struct wm_site_difference *s)
{
	char who[WM_SITE_TEXT], *text = NULL;

	wm_profile_site(s->path, who);
	if (s->file && asprintf(&text, "%s  %s:%u", who, wm_basename(s->file),
				s->line) < 0)
		text = NULL;
	wm_table_text(t, text ? text : who);
	free(text);
}

void wm_imbalance_sites(const struct wm_site_differences *list, size_t top,
			unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "name", NULL, WM_UNIT_TEXT },
		{ "file", NULL, WM_UNIT_TEXT },
		{ "line", NULL, WM_UNIT_NUMBER },
		{ "path", NULL, WM_UNIT_TEXT },
		{ "bytes", "this rank", WM_UNIT_BYTES },
		{ "mean_bytes", "mean", WM_UNIT_BYTES },
		{ "difference", "difference", WM_UNIT_CHANGE },
		{ ".site", "site", WM_UNIT_TEXT },
	};
	bool all = audience != WM_FOR_TEXT;
	struct wm_table t;
	size_t i;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, "difference bytes mean_bytes .site", 0, NULL);
	for (i = 0; i < list->count && (all || list->site[i].difference); i++) {
		const struct wm_site_difference *s = &list->site[i];

		if (d->data.tight && (i == PAGE_SITES || !s->difference))
			break;

		WM_TABLE_ADD(&t, s->name, s->file, s->line, s->path, s->bytes,
			     s->mean, s->difference);
		add_site(&t, s);
	}
	if (d->data.tight && i < list->count && list->site[i].difference)
		d->left_out += list->count - i;
	wm_doc_table(d, &t, "sites", top, audience);
}

static void put_extreme(struct wm_doc *d, const char *key,
			const struct wm_rank *r,
			const struct wm_site_differences *list)
{
	wm_json_object(&d->data, key);
	WM_JSON_ADD(&d->data, "rank bytes mean_ranks mean_bytes phase", r->rank,
		    r->in[WM_HOST].peak_bytes, list->ranks, list->mean,
		    list->phase);
	wm_imbalance_sites(list, 0, WM_FOR_DATA, d);
	wm_json_end_object(&d->data);
}

/* The head of the column has the margin. */
static void put_need(struct wm_table *t, const struct wm_imbalance *m,
		     const struct wm_node_row *n)
{
	uint64_t need = wm_node_need_bytes(&n->need);
	uint64_t all = wm_with_margin(need + n->need.more);
	double node = (double)m->node_memory;
	double share = (double)wm_with_margin(need) / node;
	bool at_least = n->lower_bound || n->need.at_least;
	const char *bound = at_least ? "at least " : "";
	enum wm_node_fit fit = wm_node_fits(m, n);
	struct wm_line l = { .len = 0 };
	struct wm_figure b;

	wm_bytes(&b, m->node_memory);
	if (fit == WM_NODE_TOO_SMALL)
		wm_line_add(&l, "does not fit: needs %.*fx of %s",
			    share < 1.2 ? 2 : 1, share, b.s);
	else if (share > 1)
		wm_line_add(&l,
			    "may fit: %s%.0f %% of %s, %.0f %% with %d %% more",
			    bound, 100 * (double)need / node, b.s, 100 * share,
			    WM_ASK_MARGIN);
	else
		wm_line_add(&l, "%s: %s%.0f %% of %s",
			    fit == WM_NODE_FITS ? "fits" : "may fit", bound,
			    100 * share, b.s);
	/* the answer would change if all memory were touched */
	if (share <= 1 && all > m->node_memory)
		wm_line_add(&l, "; %.0f %% if all is touched",
			    100 * (double)all / node);
	wm_table_text(t, l.s);
}

static const struct wm_table_column node_columns[] = {
	{ "node", "node", WM_UNIT_TEXT },
	{ "ranks", "ranks", WM_UNIT_COUNT },
	{ "exact", NULL, WM_UNIT_FLAG },
	{ "lower_bound", NULL, WM_UNIT_FLAG },
	{ "peak_bytes", "peak", WM_UNIT_BYTES },
	{ "low_bytes", NULL, WM_UNIT_BYTES },
	{ "high_bytes", NULL, WM_UNIT_BYTES },
	{ "peak_time_s", "at", WM_UNIT_INSTANT },
	{ "sum_of_peaks", "sum of peaks", WM_UNIT_BYTES },
	{ "static_bytes", "static", WM_UNIT_BYTES },
	{ "unknown_static_ranks", NULL, WM_UNIT_COUNT },
	{ "total_bytes", NULL, WM_UNIT_BYTES },
	{ "total_low_bytes", NULL, WM_UNIT_BYTES },
	{ "total_high_bytes", "peak + static", WM_UNIT_BYTES },
	{ "allocator_bytes", NULL, WM_UNIT_BYTES },
	{ "resident_bytes", NULL, WM_UNIT_BYTES },
	{ "shared_bytes", NULL, WM_UNIT_BYTES },
	{ "working_set_bytes", "working sets", WM_UNIT_BYTES },
	{ "need_bytes", "needs in RAM", WM_UNIT_BYTES },
	{ "ask_bytes", NULL, WM_UNIT_BYTES },
	{ "touched_bytes", NULL, WM_UNIT_BYTES },
	{ "fits", NULL, WM_UNIT_FLAG },
	{ ".need", "does it fit, with 10 % more?", WM_UNIT_WORDS },
};

static void add_node(struct wm_table *t, const struct wm_imbalance *m,
		     const struct wm_node_row *n)
{
	enum wm_node_fit fit = m->node_memory ? wm_node_fits(m, n) :
						WM_NODE_FIT_UNKNOWN;
	const struct wm_node_peak *x = n->node_peak;
	uint64_t need = wm_node_need_bytes(&n->need);

	wm_table_text_or(t, x->host, "?");
	WM_TABLE_ADD(t, x->parts, x->exact != 0, n->lower_bound != 0,
		     wm_known(x->exact, x->low), x->low, x->high,
		     wm_known_real(x->exact, n->seconds), n->sum_of_peaks,
		     wm_known(n->unknown_static < x->parts, n->static_bytes),
		     n->unknown_static, wm_known(x->exact, n->low), n->low,
		     n->high, wm_nonzero(n->allocator), wm_nonzero(n->resident),
		     n->shared, wm_nonzero(n->working_set), need,
		     wm_with_margin(need), need + n->need.more,
		     wm_known(fit != WM_NODE_FIT_UNKNOWN, fit == WM_NODE_FITS));
	if (m->node_memory)
		put_need(t, m, n);
	else
		WM_TABLE_ADD(t, WM_NONE);
}

static int by_total(const void *a, const void *b)
{
	const struct wm_node_row *const *x = a, *const *y = b;

	return WM_KEYS(WM_ORDER((*y)->high, (*x)->high), WM_ORDER(*x, *y));
}

enum wm_status wm_imbalance_nodes(const struct wm_imbalance *m, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err)
{
	const struct wm_node_row **row = calloc(m->nodes + 1, sizeof(*row));
	char keys[128];
	struct wm_table t;

	if (!row)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < m->nodes; i++)
		row[i] = &m->node[i];
	if (audience == WM_FOR_TEXT)
		WM_SORT(row, m->nodes, by_total);

	WM_TABLE_INIT(&t, node_columns);
	snprintf(keys, sizeof(keys),
		 "node ranks peak_bytes %speak_time_s "
		 "sum_of_peaks static_bytes "
		 "total_high_bytes%s",
		 m->sets.ranks ? "working_set_bytes " : "",
		 m->node_memory ? " need_bytes .need" : "");
	wm_table_level(&t, keys, 0, NULL);
	t.spare = "peak_time_s static_bytes sum_of_peaks";
	for (size_t i = 0; i < m->nodes; i++)
		add_node(&t, m, row[i]);
	wm_doc_table(d, &t, "nodes", top, audience);
	free(row);
	return WM_OK;
}

/* Adds column @k: the number of ranks that ran then, and the percentiles, the
 * mean and the sum of their bytes.  @value has room for all ranks. */
static void add_column(struct wm_table *t, const struct wm_heatmap *h, size_t k,
		       uint64_t *value)
{
	static const unsigned percentile[] = { 0, 25, 50, 75, 100 };
	uint64_t total = 0;
	size_t n = 0, i;

	for (i = 0; i < h->rows; i++) {
		uint64_t v = h->cell[i * h->bins + k];

		if (v == WM_NO_CELL)
			continue;
		value[n++] = v;
		total += v;
	}
	WM_SORT(value, n, wm_by_uint64);
	wm_table_uint(t, n);
	for (i = 0; i < sizeof(percentile) / sizeof(*percentile); i++) {
		size_t at = (percentile[i] * n + 99) / 100;

		WM_TABLE_ADD(t, wm_known(n != 0, value[at ? at - 1 : 0]));
	}
	WM_TABLE_ADD(t, wm_known(n != 0, n ? (total + n / 2) / n : 0),
		     wm_known(n != 0, total));
}

static void put_over_ranks(const struct wm_heatmap *h, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "ranks", "", WM_UNIT_COUNT }, { "p0", "", WM_UNIT_BYTES },
		{ "p25", "", WM_UNIT_BYTES },	{ "p50", "", WM_UNIT_BYTES },
		{ "p75", "", WM_UNIT_BYTES },	{ "p100", "", WM_UNIT_BYTES },
		{ "mean", "", WM_UNIT_BYTES },	{ "total", "", WM_UNIT_BYTES },
	};
	uint64_t *value = calloc(h->rows + 1, sizeof(*value));
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	t.short_of_memory = !value;
	for (size_t k = 0; value && k < h->bins; k++)
		add_column(&t, h, k, value);
	free(value);
	wm_doc_table(d, &t, "over_ranks", 0, WM_FOR_DATA);
}

static void put_cells(const struct wm_heatmap *h, size_t from, size_t to,
		      struct wm_json *j)
{
	wm_json_array(j, "max_bytes");
	for (size_t k = 0; k < h->bins; k++) {
		uint64_t most = wm_heatmap_most(h, from, to, k);

		wm_json_known(j, NULL, most != WM_NO_CELL, most);
	}
	wm_json_end_array(j);
}

/* On the page a row may stand for several ranks. */
static void put_map(const struct wm_heatmap *h, const struct wm_analysis *a,
		    struct wm_doc *d)
{
	size_t rows = d->data.tight && h->rows > WM_PAGE_ROWS ? WM_PAGE_ROWS :
								h->rows;
	struct wm_json *j = &d->data;
	size_t i;

	wm_json_object(j, "heatmap");
	wm_json_real(j, "bin_s", h->bin, 12);
	wm_json_text(j, "axis", wm_job_clock_name[a->run.clock]);
	put_over_ranks(h, d);
	wm_json_array(j, "rows");
	for (i = 0; i < rows; i++) {
		size_t from = i * h->rows / rows, to = (i + 1) * h->rows / rows;

		wm_json_flat_object(j, NULL);
		WM_JSON_ADD(j, "rank ranks", a->ranks[from].rank, to - from);
		put_cells(h, from, to, j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
}

static void put_working_sets(const struct wm_working_sets *w,
			     const struct wm_analysis *a, struct wm_json *j)
{
	if (!w->ranks) {
		wm_json_text(j, "working_sets", NULL);
		return;
	}
	WM_JSON_ROW(j, "working_sets", "ranks max max_rank min min_rank mean.3",
		    w->ranks, w->high, a->ranks[w->max].rank, w->low,
		    a->ranks[w->min].rank, w->mean);
}

enum wm_status wm_imbalance_data(const struct wm_imbalance *m,
				 const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	struct wm_json *j = &d->data;
	enum wm_status s;
	char key[8];

	if (!wm_doc_wants(d, WM_FOR_DATA))
		return WM_OK;
	wm_json_object(j, "imbalance");
	WM_JSON_ADD(j, "node_memory_bytes?", m->node_memory);
	wm_json_flat_object(j, "percentiles");
	for (size_t i = 0; i < WM_PERCENTILES; i++) {
		snprintf(key, sizeof(key), "%u", wm_percentile[i]);
		wm_json_uint(j, key, m->percentile[i]);
	}
	wm_json_end_object(j);
	put_working_sets(&m->sets, a, j);
	put_extreme(d, "worst", &a->ranks[a->max], &m->worst);
	put_extreme(d, "best", &a->ranks[a->min], &m->best);
	if (m->chosen.site)
		put_extreme(d, "chosen", &a->ranks[a->chosen], &m->chosen);
	s = wm_imbalance_nodes(m, 0, WM_FOR_DATA, d, err);
	s = s ? s : wm_tell_fit(a, o, WM_FOR_DATA, d, err);
	put_map(&m->map, a, d);
	wm_json_end_object(j);
	return s;
}
