/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A coarse curve of live bytes over time: the highest value and the last value
 * in each of up to 48 bins.  A curve belongs to its caller; there are no locks.
 *
 * Bin i contains the ticks for which ticks >> shift == first + i.  The
 * processes of a node read the same counter, so bins of one width are at the
 * same times in all of them, and two neighbouring bins make one bin of the next
 * width.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

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

/* Continues the curve to the bin of @ticks, or begins it there.  @max is the
 * highest value since the last call, @live the present value.  Returns the
 * first tick after that bin; until then no call is needed. */
uint64_t wm_curve_until(struct wm_curve *c, uint64_t ticks, uint64_t max,
			uint64_t live) wm_hidden;

/* Makes @c the sum of both curves.  @r, which must have begun, is changed, too.
 * After its last bin each curve keeps its last value. */
void wm_curve_add(struct wm_curve *c, struct wm_curve *r) wm_hidden;

/* Returns whether wm_curve_until() could have made this curve. */
bool wm_curve_is_sound(const struct wm_curve *c) wm_hidden;
