/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/bins.h"

#include "analyze/lib/trace/reader.h"

void wm_bins_init(struct wm_bins *b, const struct wm_trace *t)
{
	uint64_t span = 0;

	if (t->end_ticks > t->start.ticks)
		span = t->end_ticks - t->start.ticks;
	b->start = t->start.ticks;
	b->width = span / WM_BINS + 1;
	b->limit = b->start + b->width;
}

static void join_pairs(struct wm_bins *l)
{
	for (size_t i = 0; i < WM_BINS / 2; i++) {
		const struct wm_bin *a = &l->bin[2 * i], *b = a + 1;

		l->bin[i].max = a->max > b->max ? a->max : b->max;
		l->bin[i].end = b->end;
	}
	l->at = WM_BINS / 2;
	l->width *= 2;
}

void wm_bins_end(struct wm_bins *b)
{
	b->bin[b->at].max = b->max;
	b->bin[b->at].end = b->live;
}

bool wm_bins_close(struct wm_bins *b)
{
	bool joined = false;

	wm_bins_end(b);
	b->max = b->live;
	if (++b->at == WM_BINS) {
		join_pairs(b);
		joined = true;
	}
	if (__builtin_add_overflow(b->limit, b->width, &b->limit))
		b->limit = UINT64_MAX;
	return joined;
}

bool wm_bins_before_end(const struct wm_bins *b, const struct wm_trace *t)
{
	return b->limit <= t->end_ticks && b->limit != UINT64_MAX;
}
