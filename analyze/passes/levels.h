/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram of time by live bytes.
 *
 * A level is 2^shift bytes wide.  The width doubles when the peak outgrows the
 * histogram, so it is at most 1/2048 of a peak of WM_LEVELS bytes or more, and
 * lower peaks are exact.  Plain data; one thread at a time.
 */
#pragma once

#include <stdint.h>

#define WM_LEVELS 4096

struct wm_levels {
	uint64_t ticks[WM_LEVELS];
	unsigned shift; /* a level is 2^shift bytes */
	uint64_t now; /* ticks; never decreases */
};

/* @l is all zero. */
void wm_levels_init(struct wm_levels *l, uint64_t ticks);
void wm_levels_reach(struct wm_levels *l, uint64_t live);
/* Records that @live bytes were alive up to @ticks. */
static inline void wm_levels_until(struct wm_levels *l, uint64_t live,
				   uint64_t ticks)
{
	if (ticks > l->now) {
		l->ticks[live >> l->shift] += ticks - l->now;
		l->now = ticks;
	}
}
/* Returns the ticks for which live bytes were at least @percent per cent of
 * @peak, both rounded down to whole levels. */
uint64_t wm_levels_above(const struct wm_levels *l, uint64_t peak,
			 unsigned percent);
