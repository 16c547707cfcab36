/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: what ranks hold over time. */
#include "analyze/report/page.h"

#include <stdlib.h>

#include "analyze/passes/bins.h"
#include "wm/search.h"

#define CELLS 65536 /* of the heat map, about */
#define MOST_ROWS 512
#define MOST_COLUMNS (3 * WM_HEATMAP_BINS)
#define STRETCHES 1000
#define SAMPLES 400 /* of resident memory */
#define OTHERS 5 /* lines, beside chosen, worst and best */

static const unsigned percentile[] = { 0, 25, 50, 75, 100 };
#define PERCENTILES (sizeof(percentile) / sizeof(*percentile))

static int longest_first(const void *a, const void *b)
{
	const struct wm_stretch *x = *(const struct wm_stretch *const *)a;
	const struct wm_stretch *y = *(const struct wm_stretch *const *)b;
	double l = x->to - x->from, m = y->to - y->from;

	return WM_KEYS(WM_ORDER(m, l), WM_ORDER(x, y));
}

static int in_order(const void *a, const void *b)
{
	const struct wm_stretch *x = *(const struct wm_stretch *const *)a;
	const struct wm_stretch *y = *(const struct wm_stretch *const *)b;

	return WM_ORDER(x, y);
}

static void put_stretch_times(struct wm_page *p, const struct wm_stretch **list,
			      size_t n)
{
	struct wm_json *j = &p->d.data;
	size_t i;

	wm_json_object(j, "phases");
	wm_json_array(j, "phase");
	for (i = 0; i < n; i++)
		wm_json_known(j, NULL, list[i]->phase < p->phases,
			      list[i]->phase);
	wm_json_end_array(j);
	wm_json_array(j, "begin_ns");
	for (i = 0; i < n; i++)
		wm_json_uint(j, NULL, wm_page_ns(list[i]->from));
	wm_json_end_array(j);
	wm_json_array(j, "end_ns");
	for (i = 0; i < n; i++)
		wm_json_uint(j, NULL, wm_page_ns(list[i]->to));
	wm_json_end_array(j);
	wm_json_end_object(j);
}

/* Rows of phase_names begin with the phases of the chosen rank, in order. */
static enum wm_status put_phases(struct wm_page *p, struct wm_err *err)
{
	const struct wm_annotations *n = &p->a->annotations;
	const struct wm_stretch **list = calloc(n->stretch_count + 1,
						sizeof(*list));
	size_t count = n->stretch_count, i;

	if (!list)
		return wm_no_memory(err, "phases");
	for (i = 0; i < count; i++)
		list[i] = &n->stretch[i];
	if (count > STRETCHES) {
		qsort(list, count, sizeof(*list), longest_first);
		wm_page_bound(p,
			      "%zu short times in phases are left out: the "
			      "%d longest are here",
			      count - STRETCHES, STRETCHES);
		count = STRETCHES;
		qsort(list, count, sizeof(*list), in_order);
	}
	put_stretch_times(p, list, count);
	free(list);
	return WM_OK;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return WM_ORDER(x, y);
}

/* What the ranks have in one column. */
struct column {
	uint64_t at[PERCENTILES], mean, total;
	size_t ranks;
};

static struct column judge_column(const struct wm_heatmap *h, size_t k,
				  uint64_t *value)
{
	struct column c = { .ranks = 0 };
	size_t i;

	for (i = 0; i < h->rows; i++) {
		uint64_t v = h->cell[i * h->bins + k];

		if (v == WM_NO_CELL)
			continue;
		value[c.ranks++] = v;
		c.total += v;
	}
	if (!c.ranks)
		return c;
	qsort(value, c.ranks, sizeof(*value), by_value);
	for (i = 0; i < PERCENTILES; i++) {
		size_t n = (percentile[i] * c.ranks + 99) / 100;

		c.at[i] = value[n ? n - 1 : 0];
	}
	c.mean = (c.total + c.ranks / 2) / c.ranks;
	return c;
}

static enum wm_status put_curves(struct wm_page *p, const struct wm_heatmap *h,
				 struct wm_err *err)
{
	static const char *const key[PERCENTILES + 2] = {
		"p0", "p25", "p50", "p75", "p100", "mean", "total"
	};
	uint64_t *value = calloc(h->rows + 1, sizeof(*value));
	struct column *c = calloc(h->bins, sizeof(*c));
	struct wm_json *j = &p->d.data;
	size_t i, k;

	for (k = 0; value && c && k < h->bins; k++)
		c[k] = judge_column(h, k, value);
	free(value);
	if (!value || !c) {
		free(c);
		return wm_no_memory(err, "curves");
	}
	wm_json_object(j, "curves");
	wm_json_uint(j, "columns", h->bins);
	wm_json_real(j, "bin_ns", h->bin * 1e9, 3);
	wm_json_array(j, "ranks");
	for (k = 0; k < h->bins; k++)
		wm_json_uint(j, NULL, c[k].ranks);
	wm_json_end_array(j);
	for (i = 0; i < PERCENTILES + 2; i++) {
		wm_json_array(j, key[i]);
		for (k = 0; k < h->bins; k++)
			wm_json_known(j, NULL, c[k].ranks != 0,
				      i < PERCENTILES  ? c[k].at[i] :
				      i == PERCENTILES ? c[k].mean :
							 c[k].total);
		wm_json_end_array(j);
	}
	wm_json_end_object(j);
	free(c);
	return WM_OK;
}

/* The highest of rows [@from, @to). */
static void put_row(const struct wm_heatmap *h, size_t from, size_t to,
		    struct wm_json *j)
{
	size_t i, k;

	wm_json_array(j, NULL);
	for (k = 0; k < h->bins; k++) {
		uint64_t most = WM_NO_CELL;

		for (i = from; i < to; i++) {
			uint64_t v = h->cell[i * h->bins + k];

			if (v != WM_NO_CELL && (most == WM_NO_CELL || v > most))
				most = v;
		}
		wm_json_known(j, NULL, most != WM_NO_CELL, most);
	}
	wm_json_end_array(j);
}

static void put_heat(struct wm_page *p, const struct wm_heatmap *h)
{
	size_t rows = h->rows < MOST_ROWS ? h->rows : MOST_ROWS, i;
	struct wm_json *j = &p->d.data;

	wm_json_object(j, "heat");
	wm_json_uint(j, "columns", h->bins);
	wm_json_real(j, "bin_ns", h->bin * 1e9, 3);
	wm_json_uint(j, "high", h->high);
	wm_json_array(j, "row_rank");
	for (i = 0; i < rows; i++)
		wm_json_uint(j, NULL, p->a->ranks[i * h->rows / rows].rank);
	wm_json_end_array(j);
	wm_json_array(j, "row_ranks");
	for (i = 0; i < rows; i++)
		wm_json_uint(j, NULL,
			     (i + 1) * h->rows / rows - i * h->rows / rows);
	wm_json_end_array(j);
	wm_json_array(j, "cells");
	for (i = 0; i < rows; i++)
		put_row(h, i * h->rows / rows, (i + 1) * h->rows / rows, j);
	wm_json_end_array(j);
	wm_json_end_object(j);
	if (rows < h->rows)
		wm_page_bound(p,
			      "%zu ranks share %zu rows of the heat map, each "
			      "with the highest of its ranks",
			      h->rows, rows);
}

/* As many columns as there is room for, down to those of --imbalance. */
static size_t count_columns(size_t rows)
{
	size_t n = MOST_COLUMNS;

	if (rows > MOST_ROWS)
		rows = MOST_ROWS;
	while (n > WM_HEATMAP_BINS && n * rows > CELLS)
		n -= WM_HEATMAP_BINS;
	return n;
}

static enum wm_status put_map(struct wm_page *p, struct wm_err *err)
{
	struct wm_heatmap h = { .cell = NULL };
	enum wm_status s = wm_heatmap_fill(&h, p->a,
					   count_columns(p->a->rank_count),
					   err);

	if (!s)
		s = put_curves(p, &h, err);
	if (!s)
		put_heat(p, &h);
	free(h.cell);
	return s;
}

/* Of each @step samples the highest. */
static void put_resident(const struct wm_usage *u, bool bytes,
			 struct wm_json *j)
{
	size_t step = u->rss_count / SAMPLES + 1, i, k;

	wm_json_array(j, bytes ? "rss_bytes" : "rss_ns");
	for (i = 0; i < u->rss_count; i += step) {
		size_t best = i;

		for (k = i; k < u->rss_count && k < i + step; k++)
			if (u->rss[k].bytes > u->rss[best].bytes)
				best = k;
		wm_json_uint(j, NULL,
			     bytes ? u->rss[best].bytes : u->rss[best].ns);
	}
	wm_json_end_array(j);
}

static void put_points(const struct wm_timeline *t, struct wm_json *j)
{
	size_t i;

	wm_json_real(j, "point_ns", t->seconds * 1e9 / WM_POINTS_OF_BIN, 3);
	wm_json_array(j, "points");
	for (i = 0; i < t->points; i++)
		wm_json_uint(j, NULL, t->point[i]);
	wm_json_end_array(j);
}

static void put_line(struct wm_page *p, size_t rank, const char *role)
{
	const struct wm_rank *r = &p->a->ranks[rank];
	struct wm_json *j = &p->d.data;
	size_t i;

	wm_json_object(j, NULL);
	wm_json_uint(j, "rank", r->rank);
	wm_json_text(j, "role", role);
	wm_json_uint(j, "start_ns", wm_page_ns(r->begin));
	wm_json_real(j, "bin_ns", r->timeline.seconds * 1e9, 3);
	wm_json_array(j, "max");
	for (i = 0; i < r->timeline.count; i++)
		wm_json_uint(j, NULL, r->timeline.bin[i].max);
	wm_json_end_array(j);
	wm_json_array(j, "end");
	for (i = 0; i < r->timeline.count; i++)
		wm_json_uint(j, NULL, r->timeline.bin[i].end);
	wm_json_end_array(j);
	if (rank == p->rank || rank == p->a->max)
		put_points(&r->timeline, j);
	put_resident(&r->usage, false, j);
	put_resident(&r->usage, true, j);
	wm_json_end_object(j);
}

static int by_peak(const void *a, const void *b, void *ranks)
{
	const struct wm_rank *r = ranks;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;

	return WM_KEYS(WM_ORDER(r[k].peak_bytes, r[i].peak_bytes),
		       WM_ORDER(i, k));
}

/* Ranks between the worst and the best, spread over their order. */
static enum wm_status put_others(struct wm_page *p, struct wm_err *err)
{
	const struct wm_analysis *a = p->a;
	size_t n = a->rank_count, i;
	size_t *order = calloc(n, sizeof(*order)), last = SIZE_MAX;

	if (!order)
		return wm_no_memory(err, "curves");
	for (i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_peak, a->ranks);
	for (i = 1; i <= OTHERS; i++) {
		size_t rank = order[i * (n - 1) / (OTHERS + 1)];

		if (rank == last || rank == p->rank || rank == a->max ||
		    rank == a->min)
			continue;
		put_line(p, rank, "other");
		last = rank;
	}
	free(order);
	return WM_OK;
}

static enum wm_status put_lines(struct wm_page *p, struct wm_err *err)
{
	const struct wm_analysis *a = p->a;
	enum wm_status s;

	wm_json_array(&p->d.data, "lines");
	put_line(p, p->rank, a->chosen == WM_ALL_RANKS ? "worst" : "chosen");
	if (a->max != p->rank)
		put_line(p, a->max, "worst");
	if (a->min != p->rank && a->min != a->max)
		put_line(p, a->min, "best");
	s = put_others(p, err);
	wm_json_end_array(&p->d.data);
	return s;
}

enum wm_status wm_page_time(struct wm_page *p, struct wm_err *err)
{
	enum wm_status s = put_phases(p, err);

	if (!s)
		s = put_map(p, err);
	return s ? s : put_lines(p, err);
}
