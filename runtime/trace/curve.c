/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/curve.h"

#include <string.h>

static void widen_bins(struct wm_curve *c)
{
	uint64_t base = c->first >> 1;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t to = (uint32_t)(((c->first + i) >> 1) - base);

		if (to >= n) {
			c->bin[to] = c->bin[i];
			n = to + 1;
			continue;
		}
		if (c->bin[i].max > c->bin[to].max)
			c->bin[to].max = c->bin[i].max;
		c->bin[to].end = c->bin[i].end;
	}
	c->first = base;
	c->shift++;
	c->count = n;
}

static uint64_t end_bin(const struct wm_curve *c)
{
	return c->first + c->count;
}

uint64_t wm_curve_until(struct wm_curve *c, uint64_t ticks, uint64_t max,
			uint64_t live)
{
	if (!c->count) {
		c->shift = WM_CURVE_SHIFT;
		c->first = ticks >> c->shift;
		c->count = 1;
	}
	if (max > c->bin[c->count - 1].max)
		c->bin[c->count - 1].max = max;
	c->bin[c->count - 1].end = live;
	while (ticks >> c->shift >= end_bin(c)) {
		if (c->count == WM_CURVE_BINS) {
			widen_bins(c); /* The present bin may continue. */
			continue;
		}
		c->bin[c->count].max = c->bin[c->count].end = live;
		c->count++;
	}
	return end_bin(c) << c->shift;
}

static void stretch_bins(struct wm_curve *c, uint64_t first, uint32_t count)
{
	uint32_t shift = (uint32_t)(c->first - first);
	uint64_t last = c->bin[c->count - 1].end;

	memmove(c->bin + shift, c->bin, c->count * sizeof(*c->bin));
	memset(c->bin, 0, shift * sizeof(*c->bin));
	c->first = first;
	for (c->count += shift; c->count < count; c->count++)
		c->bin[c->count].max = c->bin[c->count].end = last;
}

void wm_curve_add(struct wm_curve *c, struct wm_curve *r)
{
	uint64_t first, end;

	if (!c->count) {
		*c = *r;
		return;
	}
	for (;;) {
		while (c->shift < r->shift)
			widen_bins(c);
		while (r->shift < c->shift)
			widen_bins(r);
		first = c->first < r->first ? c->first : r->first;
		end = end_bin(c) > end_bin(r) ? end_bin(c) : end_bin(r);
		if (end - first <= WM_CURVE_BINS)
			break;
		widen_bins(c);
	}
	stretch_bins(c, first, (uint32_t)(end - first));
	stretch_bins(r, first, (uint32_t)(end - first));
	for (uint32_t i = 0; i < c->count; i++) {
		c->bin[i].max += r->bin[i].max;
		c->bin[i].end += r->bin[i].end;
	}
}

bool wm_curve_is_sound(const struct wm_curve *c)
{
	return c->count && c->count <= WM_CURVE_BINS && c->shift < 64 &&
	       c->first <= (UINT64_MAX >> c->shift) - c->count;
}
