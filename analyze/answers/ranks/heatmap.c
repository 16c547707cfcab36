/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks x time: the timelines of all ranks on one axis. */
#include "analyze/answers/ranks/imbalance.h"

#include <stdlib.h>

static size_t bin_of(const struct wm_heatmap *h, double at)
{
	double i = at / h->bin;

	/* a stamp may be later than the clock of the last block */
	if (!(i < (double)h->bins))
		return h->bins - 1;
	return i > 0 ? (size_t)i : 0;
}

/* Adds @bytes, which the rank had in [@from, @to), to the row. */
static void put_bytes(struct wm_heatmap *h, uint64_t *row, double from,
		      double to, uint64_t bytes)
{
	/* a value that ends at an edge does not count beyond the edge */
	double edge = h->bin * 1e-6;
	size_t i = bin_of(h, from + edge), last = bin_of(h, to - edge);

	do {
		if (row[i] == WM_NO_CELL || row[i] < bytes)
			row[i] = bytes;
	} while (++i <= last);
}

static void fill_row(struct wm_heatmap *h, uint64_t *row,
		     const struct wm_rank *r)
{
	const struct wm_timeline *t = &r->timeline;
	double end = r->begin + r->seconds;

	for (size_t i = 0; i < h->bins; i++)
		row[i] = WM_NO_CELL;
	for (size_t i = 0; i < t->count; i++) {
		double from = wm_rank_bin(r, i);
		double to = from + t->seconds;

		/* the last bin may be longer than the run */
		put_bytes(h, row, from, to < end || from >= end ? to : end,
			  t->bin[i].max);
	}
	for (size_t i = 0; i < h->bins; i++)
		if (row[i] != WM_NO_CELL && row[i] > h->high)
			h->high = row[i];
}

uint64_t wm_heatmap_most(const struct wm_heatmap *h, size_t from, size_t to,
			 size_t bin)
{
	uint64_t most = WM_NO_CELL;

	for (size_t i = from; i < to; i++) {
		uint64_t v = h->cell[i * h->bins + bin];

		if (v != WM_NO_CELL && (most == WM_NO_CELL || v > most))
			most = v;
	}
	return most;
}

enum wm_status wm_heatmap_fill(struct wm_heatmap *h,
			       const struct wm_analysis *a, size_t bins,
			       struct wm_err *err)
{
	h->bins = bins;
	h->rows = a->rank_count;
	h->bin = a->seconds > 0 ? a->seconds / (double)bins : 1e-9;
	h->cell = calloc(h->rows * h->bins, sizeof(*h->cell));
	if (!h->cell)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < h->rows; i++)
		fill_row(h, &h->cell[i * h->bins], &a->ranks[i]);
	return WM_OK;
}
