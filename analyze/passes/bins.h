/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time in a fixed number of bins, with the highest and the last live bytes of
 * each bin: the base of passes that look at the run over time.
 *
 * The bins cover the time from the first to the last block of the trace.  If
 * later changes turn up, pairs of bins are joined and the width doubles, so
 * memory does not depend on the length of the run.  Every pass that gets the
 * same changes has the same bins.
 *
 * Plain data; one thread at a time.
 */
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
	uint64_t live, max; /* max: of the bin */
};

void wm_bins_init(struct wm_bins *b, const struct wm_trace *t);

/* Returns whether @time lies behind the bin, which must be closed before the
 * change. */
static inline bool wm_bins_over(const struct wm_bins *b, uint64_t time)
{
	return time >= b->limit && b->limit != UINT64_MAX;
}

/* Ends the bin and begins the next one.  If no bin is left, joins pairs of bins
 * and returns true. */
bool wm_bins_close(struct wm_bins *b);
/* Ends the last bin without beginning another.  The trace has no more changes,
 * and the caller has closed all bins before its end. */
void wm_bins_end(struct wm_bins *b);
/* Returns whether the bin is before the bin in which the trace ends. */
bool wm_bins_before_end(const struct wm_bins *b, const struct wm_trace *t);
