/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time, coarsely: of up to 48 bins the highest and the last
 * ones.
 *
 * Bin i is ticks >> shift == first + i.  The processes of a node read the same
 * counter, so bins of one width lie at the same times in all of them, and
 * pairs of them make those of the next width.
 *
 * No locks: a curve is its caller's.
 */
#ifndef WM_RUNTIME_CURVE_H
#define WM_RUNTIME_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

#define WM_CURVE_BINS 48
/* Width of the first bins: 2^20 ticks, a third to one millisecond. */
#define WM_CURVE_SHIFT 20

struct wm_curve {
	uint64_t first;
	uint32_t shift, count; /* all 0: a curve that has not begun */
	struct {
		uint64_t max, end; /* bytes */
	} bin[WM_CURVE_BINS];
};

/*
 * Go on to the bin that holds @ticks, and begin there if @c has not: @max is
 * the highest since the last call, @live is now.  Returns the first tick behind
 * that bin: before it there is no need to come again.
 */
uint64_t wm_curve_until(struct wm_curve *c, uint64_t ticks, uint64_t max,
			uint64_t live) wm_hidden;

/*
 * Make @c the sum of both, of which @r has begun; it is changed, too.  What
 * either has in its last bin it has ever after.
 */
void wm_curve_add(struct wm_curve *c, struct wm_curve *r) wm_hidden;

/* true: it could have been made by wm_curve_until(). */
bool wm_curve_is_sound(const struct wm_curve *c) wm_hidden;

#endif
