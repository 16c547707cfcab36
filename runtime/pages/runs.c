/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/runs.h"

/* No later run may begin before @r. */
static void append_run(struct wm_buf *b, struct wm_page_run r)
{
	struct wm_page_run *last = wm_runs(b) + wm_runs_count(b);

	if (b->len && last[-1].end >= r.first) {
		if (last[-1].end < r.end)
			last[-1].end = r.end;
		return;
	}
	*last = r;
	b->len += sizeof(r);
}

/* Shell's method with Ciura's gaps needs no memory, and lists are short or
 * nearly in order. */
static void sort_runs(struct wm_page_run *r, size_t n)
{
	static const size_t gaps[] = { 861785, 383014, 170228, 75657, 33625,
				       14944,  6642,   2952,   1312,  583,
				       259,    115,    51,     23,    10,
				       4,      1 };

	for (size_t g = 0; g < sizeof(gaps) / sizeof(*gaps); g++) {
		const size_t gap = gaps[g];

		for (size_t i = gap; i < n; i++) {
			struct wm_page_run x = r[i];
			size_t j = i;

			for (; j >= gap && r[j - gap].first > x.first; j -= gap)
				r[j] = r[j - gap];
			r[j] = x;
		}
	}
}

void wm_runs_sort(struct wm_buf *b)
{
	size_t n = wm_runs_count(b);

	sort_runs(wm_runs(b), n);
	b->len = 0;
	for (size_t i = 0; i < n; i++)
		append_run(b, wm_runs(b)[i]);
}

int wm_runs_unite(struct wm_buf *out, const struct wm_buf *a,
		  const struct wm_buf *b)
{
	const struct wm_page_run *x = wm_runs(a), *x_end = x + wm_runs_count(a);
	const struct wm_page_run *y = wm_runs(b), *y_end = y + wm_runs_count(b);

	out->len = 0;
	if (wm_buf_reserve(out, a->len + b->len))
		return -1;
	while (x < x_end || y < y_end)
		append_run(out,
			   y == y_end || (x < x_end && x->first <= y->first) ?
				   *x++ :
				   *y++);
	return 0;
}

uint64_t wm_runs_pages(const struct wm_buf *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < wm_runs_count(b); i++)
		n += wm_runs(b)[i].end - wm_runs(b)[i].first;
	return n;
}

/* No encoding is longer than one token per run. */
static int reserve_set(struct wm_buf *b, size_t runs)
{
	return wm_buf_reserve(b, 64 + 2 * WM_VARINT_MAX * runs);
}

int wm_runs_encode(struct wm_buf *sets, const struct wm_buf *accessed,
		   const struct wm_buf *before, struct wm_buf *places,
		   const struct wm_buf *written)
{
	const struct wm_page_run *last = before ? wm_runs(before) : NULL;
	size_t lasts = before ? wm_runs_count(before) : 0;
	size_t all = wm_runs_count(accessed), n = wm_runs_count(written);
	size_t set, place;

	if (reserve_set(sets, all + lasts) || reserve_set(places, n))
		return -1;
	set = wm_page_set_encode(sets->p + sets->len, sets->room - sets->len,
				 wm_runs(accessed), all, last, lasts);
	place = wm_page_positions_encode(places->p + places->len,
					 places->room - places->len,
					 wm_runs(written), n, wm_runs(accessed),
					 all);
	if (!set || !place)
		return -1;
	sets->len += set;
	places->len += place;
	return 0;
}
