/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long live bytes stayed at each level: a histogram of time by bytes.  At
 * the end it shows for how long live bytes were near their peak.
 *
 * A level is a number of bytes that is a power of two.  It doubles whenever the
 * peak outgrows the histogram, so the peak is at level WM_LEVELS / 2 or above,
 * and a level is at most 1/2048 of the peak.  Peaks below WM_LEVELS bytes are
 * exact.  Plain data, one thread at a time.
 */
#pragma once

#include <stdint.h>

#define WM_LEVELS 4096

struct wm_levels {
	uint64_t ticks[WM_LEVELS];
	unsigned shift; /* a level is 2^shift bytes */
	uint64_t now; /* ticks; never goes back */
};

/* Starts time at @ticks; @l is all zero. */
void wm_levels_init(struct wm_levels *l, uint64_t ticks);
/* Makes room for @live bytes, which a new peak needs. */
void wm_levels_reach(struct wm_levels *l, uint64_t live);
/* Records that @live bytes were alive up to @ticks.  Many changes have the same
 * time. */
static inline void wm_levels_until(struct wm_levels *l, uint64_t live,
				   uint64_t ticks)
{
	if (ticks > l->now) {
		l->ticks[live >> l->shift] += ticks - l->now;
		l->now = ticks;
	}
}
/*
 * Returns the ticks for which live bytes were at @percent per cent of @peak or
 * above, both rounded down to whole levels.
 */
uint64_t wm_levels_above(const struct wm_levels *l, uint64_t peak,
			 unsigned percent);
