/* SPDX-License-Identifier: Apache-2.0 */
/* Time in WM_BINS bins, with the highest and the last live bytes of each bin.
 * The bins cover the time from the first to the last block of the trace.  If a
 * change is later, pairs of bins are joined and the width doubles.  All passes
 * that get the same changes have the same bins.  Plain data; one thread at a
 * time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/passes/rank.h"

#define WM_BINS 400 /* even */
#define WM_POINTS_OF_BIN 5

struct wm_trace;

struct wm_bins {
	struct wm_bin bin[WM_BINS];
	size_t at; /* the bin that is being filled */
	uint64_t start, width; /* ticks */
	uint64_t limit; /* end of the bin, ticks */
	uint64_t live, max; /* max: of this bin */
};

void wm_bins_init(struct wm_bins *b, const struct wm_trace *t);

/* Returns whether @time is after the bin, which must then be closed. */
static inline bool wm_bins_over(const struct wm_bins *b, uint64_t time)
{
	return time >= b->limit && b->limit != UINT64_MAX;
}

/* Ends the bin.  Returns true if no bin was left and pairs of bins were
 * joined. */
bool wm_bins_close(struct wm_bins *b);
/* Ends the last bin, after all earlier ones were closed. */
void wm_bins_end(struct wm_bins *b);
/* Returns whether the bin is before the bin in which the trace ends. */
bool wm_bins_before_end(const struct wm_bins *b, const struct wm_trace *t);
