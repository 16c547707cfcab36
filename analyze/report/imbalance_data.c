/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of --imbalance for programs (docs/json.md) and spreadsheets. */
#include "analyze/report/reports.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/base/units.h"
#include "analyze/queries/imbalance.h"
#include "analyze/render/table.h"

static void put_extreme(struct wm_json *j, const char *key,
			const struct wm_rank *r,
			const struct wm_site_differences *d)
{
	size_t i;

	wm_json_object(j, key);
	wm_json_uint(j, "rank", r->rank);
	wm_json_uint(j, "bytes", r->peak_bytes);
	wm_json_array(j, "sites");
	for (i = 0; i < d->count; i++) {
		const struct wm_site_difference *s = &d->site[i];

		wm_json_flat_object(j, NULL);
		wm_json_text(j, "name", s->name);
		wm_json_text(j, "file", s->file);
		wm_json_uint(j, "line", s->line);
		wm_json_text(j, "path", s->path);
		wm_json_uint(j, "bytes", s->bytes);
		wm_json_uint(j, "mean_bytes", s->mean);
		wm_json_int(j, "difference", s->difference);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
}

static void put_fit(const struct wm_imbalance *m, const struct wm_node_row *n,
		    struct wm_json *j)
{
	enum wm_node_fit fit = m->node_memory ? wm_node_fits(m, n) :
						WM_NODE_FIT_UNKNOWN;

	if (fit == WM_NODE_FIT_UNKNOWN)
		wm_json_text(j, "fits", NULL);
	else
		wm_json_bool(j, "fits", fit == WM_NODE_FITS);
}

static void put_largest(const struct wm_node_row *n, struct wm_json *j)
{
	uint64_t bytes;

	wm_json_text(j, "largest", wm_need_name[wm_node_largest(n, &bytes)]);
	wm_json_uint(j, "largest_bytes", bytes);
}

static void put_node(const struct wm_imbalance *m, const struct wm_node_row *n,
		     struct wm_json *j)
{
	const struct wm_node_peak *x = n->machine;
	size_t i;

	wm_json_object(j, NULL);
	wm_json_text(j, "node", x->host);
	wm_json_uint(j, "ranks", x->parts);
	wm_json_bool(j, "exact", x->exact);
	wm_json_bool(j, "lower_bound", n->lower_bound);
	wm_json_known(j, "peak_bytes", x->exact, x->low);
	wm_json_uint(j, "low_bytes", x->low);
	wm_json_uint(j, "high_bytes", x->high);
	if (x->exact)
		wm_json_real(j, "peak_time_s", n->seconds, 6);
	else
		wm_json_text(j, "peak_time_s", NULL);
	wm_json_uint(j, "sum_of_peaks", n->sum_of_peaks);
	wm_json_known(j, "static_bytes", n->unknown_static < x->parts,
		      n->static_bytes);
	wm_json_uint(j, "unknown_static_ranks", n->unknown_static);
	wm_json_known(j, "total_bytes", x->exact, n->low);
	wm_json_uint(j, "total_low_bytes", n->low);
	wm_json_uint(j, "total_high_bytes", n->high);
	wm_json_known(j, "allocator_bytes", n->allocator != 0, n->allocator);
	wm_json_known(j, "resident_bytes", n->resident != 0, n->resident);
	put_largest(n, j);
	put_fit(m, n, j);
	wm_json_array(j, "parts");
	for (i = 0; x->exact && i < x->parts; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", x->part[i].rank);
		wm_json_uint(j, "bytes", x->part[i].bytes);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
}

static void put_map(const struct wm_imbalance *m, const struct wm_analysis *a,
		    struct wm_json *j)
{
	static const char *const axis[] = { "one clock", "real time",
					    "own start" };
	const struct wm_heatmap *h = &m->map;
	size_t i, k;

	wm_json_object(j, "heatmap");
	wm_json_real(j, "bin_s", h->bin, 9);
	wm_json_text(j, "axis", axis[m->axis]);
	wm_json_array(j, "rows");
	for (i = 0; i < h->rows; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", a->ranks[i].rank);
		wm_json_real(j, "start_s", m->start[i], 6);
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

uint64_t wm_node_memory(const struct wm_opts *o)
{
	uint64_t bytes = 0;

	if (o->node_memory)
		wm_parse_bytes(o->node_memory, &bytes);
	return bytes;
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
	return WM_OK;
}

void wm_imbalance_data(const struct wm_imbalance *m,
		       const struct wm_analysis *a, struct wm_json *j)
{
	char key[8];
	size_t i;

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
	put_extreme(j, "worst", &a->ranks[a->max], &m->worst);
	put_extreme(j, "best", &a->ranks[a->min], &m->best);
	wm_json_known(j, "node_memory_bytes", m->node_memory != 0,
		      m->node_memory);
	wm_json_array(j, "nodes");
	for (i = 0; i < m->nodes; i++)
		put_node(m, &m->node[i], j);
	wm_json_end_array(j);
	put_map(m, a, j);
	wm_json_end_object(j);
}

#define FIXED 8 /* columns before those of the map */
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
	size_t k;

	wm_table_uint(t, r->rank);
	wm_table_text(t, r->host);
	wm_table_real(t, m->start[i]);
	wm_table_uint(t, r->peak_bytes);
	wm_table_real(t, r->peak_seconds);
	if (x->exact) {
		wm_table_uint(t, m->part[i]);
		wm_table_uint(t, x->high);
	} else {
		wm_table_none(t);
		wm_table_none(t);
	}
	if (c)
		wm_table_uint(t, c->static_bytes);
	else
		wm_table_none(t);
	for (k = 0; k < m->map.bins; k++) {
		uint64_t v = m->map.cell[i * m->map.bins + k];

		if (v == WM_NO_CELL)
			wm_table_none(t);
		else
			wm_table_uint(t, v);
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
