/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of --imbalance for programs (docs/json.md) and spreadsheets. */
#include "analyze/report/reports.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/units.h"
#include "analyze/queries/imbalance.h"
#include "analyze/queries/profile.h"
#include "analyze/render/table.h"
#include "wm/search.h"

/* "grab < read_input  heat.c:29" */
static void add_site(struct wm_table *t, const struct wm_site_difference *s)
{
	const char *file = s->file ? strrchr(s->file, '/') : NULL;
	char who[WM_SITE_TEXT], *text = NULL;

	wm_profile_site(s->path, who);
	if (s->file && asprintf(&text, "%s  %s:%u", who,
				file ? file + 1 : s->file, s->line) < 0)
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
		{ NULL, NULL, 0 },
	};
	bool all = audience != WM_FOR_TEXT;
	struct wm_table t;
	size_t i;

	wm_table_init(&t, columns);
	wm_table_level(&t, "difference bytes mean_bytes .site", 0, NULL);
	for (i = 0; i < list->count && (all || list->site[i].difference); i++) {
		const struct wm_site_difference *s = &list->site[i];

		wm_table_text(&t, s->name);
		wm_table_text(&t, s->file);
		wm_table_uint(&t, s->line);
		wm_table_text(&t, s->path);
		wm_table_uint(&t, s->bytes);
		wm_table_uint(&t, s->mean);
		wm_table_int(&t, s->difference);
		add_site(&t, s);
	}
	wm_doc_table(d, &t, "sites", top, audience);
}

void wm_imbalance_basis(const struct wm_site_differences *list,
			struct wm_json *j)
{
	wm_json_text(j, "phase", list->phase);
	wm_json_uint(j, "mean_ranks", list->ranks);
	wm_json_uint(j, "mean_bytes", list->mean);
}

static void put_extreme(struct wm_doc *d, const char *key,
			const struct wm_rank *r,
			const struct wm_site_differences *list)
{
	wm_json_object(&d->data, key);
	wm_json_uint(&d->data, "rank", r->rank);
	wm_json_uint(&d->data, "bytes", r->peak_bytes);
	wm_imbalance_basis(list, &d->data);
	wm_imbalance_sites(list, 0, WM_FOR_DATA, d);
	wm_json_end_object(&d->data);
}

/* What the node needs, with the margin that the column's head says. */
#define NEED_TEXT 160
static const char *need_in_words(const struct wm_imbalance *m,
				 const struct wm_node_row *n,
				 char buf[NEED_TEXT])
{
	uint64_t need = wm_node_need_bytes(&n->need);
	uint64_t all = wm_with_margin(need + n->need.untouched);
	double node = (double)m->node_memory;
	double share = (double)wm_with_margin(need) / node;
	bool at_least = n->lower_bound || n->need.at_least;
	enum wm_node_fit fit = wm_node_fits(m, n);
	size_t len;
	struct wm_buf b;

	wm_bytes(&b, m->node_memory);
	if (fit == WM_NODE_TOO_SMALL)
		len = (size_t)snprintf(buf, NEED_TEXT,
				       "does not fit: needs %.*fx of %s",
				       share < 1.2 ? 2 : 1, share, b.s);
	else if (share > 1)
		len = (size_t)snprintf(buf, NEED_TEXT,
				       "may fit: %s%.0f %% of %s, %.0f %% with "
				       "%d %% more",
				       at_least ? "at least " : "",
				       100 * (double)need / node, b.s,
				       100 * share, WM_ASK_MARGIN);
	else
		len = (size_t)snprintf(buf, NEED_TEXT, "%s: %s%.0f %% of %s",
				       fit == WM_NODE_FITS ? "fits" : "may fit",
				       at_least ? "at least " : "", 100 * share,
				       b.s);
	/* the answer would be another one */
	if (share <= 1 && all > m->node_memory && len < NEED_TEXT)
		snprintf(buf + len, NEED_TEXT - len,
			 "; %.0f %% if all is touched",
			 100 * (double)all / node);
	return buf;
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
	{ "largest", NULL, WM_UNIT_TEXT },
	{ "largest_bytes", NULL, WM_UNIT_BYTES },
	{ "need_bytes", NULL, WM_UNIT_BYTES },
	{ "ask_bytes", NULL, WM_UNIT_BYTES },
	{ "touched_bytes", NULL, WM_UNIT_BYTES },
	{ "fits", NULL, WM_UNIT_FLAG },
	{ ".need", "does it fit, with 10 % more?", WM_UNIT_WORDS },
	{ "rank", NULL, WM_UNIT_NUMBER },
	{ "bytes", NULL, WM_UNIT_BYTES },
	{ NULL, NULL, 0 },
};
enum { PART = 25 };

/* Of the three ways to count of earlier versions. */
static void add_largest(struct wm_table *t, const struct wm_node_row *n)
{
	bool allocator = n->allocator > n->high;
	uint64_t bytes = allocator ? n->allocator : n->high;
	bool resident = n->resident > bytes;

	wm_table_text(t, resident  ? "resident" :
			 allocator ? "allocator" :
				     "requested");
	wm_table_uint(t, resident ? n->resident : bytes);
}

static void add_node(struct wm_table *t, const struct wm_imbalance *m,
		     const struct wm_node_row *n)
{
	enum wm_node_fit fit = m->node_memory ? wm_node_fits(m, n) :
						WM_NODE_FIT_UNKNOWN;
	const struct wm_node_peak *x = n->node_peak;
	uint64_t need = wm_node_need_bytes(&n->need);
	char buf[NEED_TEXT];

	wm_table_row(t, 0);
	wm_table_text_or(t, x->host, "?");
	wm_table_uint(t, x->parts);
	wm_table_uint(t, x->exact != 0);
	wm_table_uint(t, n->lower_bound != 0);
	wm_table_known(t, x->exact, x->low);
	wm_table_uint(t, x->low);
	wm_table_uint(t, x->high);
	if (x->exact)
		wm_table_real(t, n->seconds);
	else
		wm_table_none(t);
	wm_table_uint(t, n->sum_of_peaks);
	wm_table_known(t, n->unknown_static < x->parts, n->static_bytes);
	wm_table_uint(t, n->unknown_static);
	wm_table_known(t, x->exact, n->low);
	wm_table_uint(t, n->low);
	wm_table_uint(t, n->high);
	wm_table_known(t, n->allocator != 0, n->allocator);
	wm_table_known(t, n->resident != 0, n->resident);
	wm_table_uint(t, n->shared);
	wm_table_known(t, n->working_set != 0, n->working_set);
	add_largest(t, n);
	wm_table_uint(t, need);
	wm_table_uint(t, wm_with_margin(need));
	wm_table_uint(t, need + n->need.untouched);
	wm_table_known(t, fit != WM_NODE_FIT_UNKNOWN, fit == WM_NODE_FITS);
	wm_table_text(t, m->node_memory ? need_in_words(m, n, buf) : NULL);
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
	size_t i, k;

	if (!row)
		return wm_no_memory(err, NULL);
	for (i = 0; i < m->nodes; i++)
		row[i] = &m->node[i];
	if (audience == WM_FOR_TEXT)
		qsort(row, m->nodes, sizeof(*row), by_total);

	wm_table_init(&t, node_columns);
	snprintf(keys, sizeof(keys),
		 "node ranks peak_bytes %speak_time_s "
		 "sum_of_peaks static_bytes "
		 "total_high_bytes%s",
		 m->sets.ranks ? "working_set_bytes " : "",
		 m->node_memory ? " .need" : "");
	wm_table_level(&t, keys, 0, NULL);
	wm_table_level(&t, "rank bytes", 0, "parts");
	t.spare = "peak_time_s static_bytes sum_of_peaks";
	for (i = 0; i < m->nodes; i++) {
		const struct wm_node_peak *x = row[i]->node_peak;

		add_node(&t, m, row[i]);
		if (audience == WM_FOR_TEXT || !x->exact)
			continue;
		for (k = 0; k < x->parts; k++) {
			wm_table_row(&t, 1);
			wm_table_at(&t, PART);
			wm_table_uint(&t, x->part[k].rank);
			wm_table_uint(&t, x->part[k].bytes);
		}
	}
	wm_doc_table(d, &t, "nodes", top, audience);
	free(row);
	return WM_OK;
}

static void put_map(const struct wm_imbalance *m, const struct wm_analysis *a,
		    struct wm_json *j)
{
	const struct wm_heatmap *h = &m->map;
	size_t i, k;

	wm_json_object(j, "heatmap");
	wm_json_real(j, "bin_s", h->bin, 9);
	wm_json_text(j, "axis", wm_job_clock_name[a->run.clock]);
	wm_json_array(j, "rows");
	for (i = 0; i < h->rows; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", a->ranks[i].rank);
		wm_json_real(j, "start_s", a->ranks[i].begin, 6);
		wm_json_array(j, "max_bytes");
		for (k = 0; k < h->bins; k++)
			wm_json_known(j, NULL,
				      h->cell[i * h->bins + k] != WM_NO_CELL,
				      h->cell[i * h->bins + k]);
		wm_json_end_array(j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
}

/* null: of no rank are they known. */
void wm_imbalance_put_working_sets(const struct wm_imbalance *m,
				   const struct wm_analysis *a,
				   struct wm_json *j)
{
	const struct wm_working_sets *w = &m->sets;

	if (!w->ranks) {
		wm_json_text(j, "working_sets", NULL);
		return;
	}
	wm_json_flat_object(j, "working_sets");
	wm_json_uint(j, "ranks", w->ranks);
	wm_json_uint(j, "max", w->high);
	wm_json_uint(j, "max_rank", a->ranks[w->max].rank);
	wm_json_uint(j, "min", w->low);
	wm_json_uint(j, "min_rank", a->ranks[w->min].rank);
	wm_json_real(j, "mean", w->mean, 3);
	wm_json_end_object(j);
}

enum wm_status wm_imbalance_check(const struct wm_opts *o, struct wm_err *err)
{
	uint64_t bytes;

	if (o->node_memory &&
	    (!wm_parse_bytes(o->node_memory, &bytes) || !bytes))
		return wm_err_set(err, WM_USAGE,
				  "--node-memory %s: not a "
				  "size such as 64G",
				  o->node_memory);
	if (o->ranks_per_node &&
	    (!wm_parse_number(o->ranks_per_node, WM_RANKS_PER_NODE, &bytes) ||
	     !bytes))
		return wm_err_set(err, WM_USAGE,
				  "--ranks-per-node %s: not a number from 1 on",
				  o->ranks_per_node);
	return WM_OK;
}

enum wm_status wm_imbalance_data(const struct wm_imbalance *m,
				 const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	struct wm_json *j = &d->data;
	enum wm_status s;
	char key[8];
	size_t i;

	if (!wm_doc_wants(d, WM_FOR_DATA))
		return WM_OK;
	wm_json_object(j, "imbalance");
	wm_json_uint(j, "min", a->ranks[a->min].peak_bytes);
	wm_json_uint(j, "max", a->ranks[a->max].peak_bytes);
	wm_json_real(j, "mean", a->mean, 3);
	wm_json_real(j, "stddev", a->stddev, 3);
	wm_json_flat_object(j, "percentiles");
	for (i = 0; i < WM_PERCENTILES; i++) {
		snprintf(key, sizeof(key), "%u", wm_percentile[i]);
		wm_json_uint(j, key, m->percentile[i]);
	}
	wm_json_end_object(j);
	wm_imbalance_put_working_sets(m, a, j);
	put_extreme(d, "worst", &a->ranks[a->max], &m->worst);
	put_extreme(d, "best", &a->ranks[a->min], &m->best);
	if (m->chosen.site)
		put_extreme(d, "chosen", &a->ranks[a->chosen], &m->chosen);
	wm_json_known(j, "node_memory_bytes", m->node_memory != 0,
		      m->node_memory);
	s = wm_imbalance_nodes(m, 0, WM_FOR_DATA, d, err);
	s = s ? s : wm_tell_fit(a, o, WM_FOR_DATA, d, err);
	put_map(m, a, j);
	wm_json_end_object(j);
	return s;
}

#define FIXED 9 /* columns before those of the map */
#define KEY 24

/* Columns of a rank, then one for each bin, called by its begin. */
static struct wm_table_column *make_columns(const struct wm_heatmap *h)
{
	static const struct wm_table_column fixed[FIXED] = {
		{ "rank", "rank", WM_UNIT_NUMBER },
		{ "node", "node", WM_UNIT_TEXT },
		{ "start_s", "start", WM_UNIT_SECONDS },
		{ "peak_bytes", "peak", WM_UNIT_BYTES },
		{ "peak_time_s", "at", WM_UNIT_SECONDS },
		{ "bytes_at_node_peak", "at the node's peak", WM_UNIT_BYTES },
		{ "node_peak_bytes", "node's peak", WM_UNIT_BYTES },
		{ "static_bytes", "static", WM_UNIT_BYTES },
		{ "working_set_bytes", "working set", WM_UNIT_BYTES },
	};
	size_t n = FIXED + h->bins + 1, i;
	struct wm_table_column *c = calloc(1, n * sizeof(*c) + h->bins * KEY);
	char *key;

	if (!c)
		return NULL;
	key = (char *)(c + n);
	for (i = 0; i < FIXED; i++)
		c[i] = fixed[i];
	for (i = 0; i < h->bins; i++, key += KEY) {
		snprintf(key, KEY, "at_%.9f_s", (double)i * h->bin);
		c[FIXED + i].key = key;
		c[FIXED + i].unit = WM_UNIT_BYTES;
	}
	return c;
}

static void put_row(struct wm_table *t, const struct wm_imbalance *m,
		    const struct wm_analysis *a, size_t i)
{
	const struct wm_census *c = wm_analysis_census(a, i);
	const struct wm_rank *r = &a->ranks[i];
	const struct wm_node_peak *x = &a->node[r->node];
	uint64_t bytes;
	bool known;
	size_t k;

	wm_table_uint(t, r->rank);
	wm_table_text(t, r->host);
	wm_table_real(t, a->ranks[i].begin);
	wm_table_uint(t, r->peak_bytes);
	wm_table_real(t, r->peak_seconds);
	wm_table_known(t, x->exact, x->exact ? m->part[i] : 0);
	wm_table_known(t, x->exact, x->high);
	wm_table_known(t, c != NULL, c ? c->static_bytes : 0);
	known = wm_working_set(&r->page_totals, &bytes);
	wm_table_known(t, known, bytes);
	for (k = 0; k < m->map.bins; k++) {
		uint64_t v = m->map.cell[i * m->map.bins + k];

		wm_table_known(t, v != WM_NO_CELL, v);
	}
}

enum wm_status wm_imbalance_table(const struct wm_imbalance *m,
				  const struct wm_analysis *a, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_table_column *columns = make_columns(&m->map);
	struct wm_table t;
	size_t i;

	if (!columns)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_table_init(&t, columns);
	for (i = 0; i < a->rank_count; i++)
		put_row(&t, m, a, i);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
	free(columns);
	return WM_OK;
}
