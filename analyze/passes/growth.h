/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the memory of a process grew before it was killed, and which call
 * path grew most, both since the peak last doubled.  Belongs to the pass heap.
 * A struct wm_growth owns its marks; a struct of zeros is empty. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/reader.h"

struct wm_growth_mark {
	uint64_t bytes, time; /* ticks */
	uint64_t *live; /* by call path */
};

struct wm_growth {
	struct wm_growth_mark mark[2]; /* the newest first */
};

/* Returns whether the peak has doubled since the last mark. */
static inline bool wm_growth_is_due(const struct wm_growth *g, uint64_t bytes)
{
	return bytes >=
	       (g->mark[0].bytes ? 2 * g->mark[0].bytes : (uint64_t)1 << 20);
}

/* Adds a mark and returns its .live, an array of @paths elements that the
 * caller fills.  Returns NULL without memory. */
uint64_t *wm_growth_mark(struct wm_growth *g, uint64_t bytes, uint64_t time,
			 size_t paths);
/* Returns the mark from which the growth to a peak of @peak bytes at @time is
 * reported, and stores the bytes per second in *@rate.  Returns NULL if memory
 * did not grow, or did not grow for long enough. */
const struct wm_growth_mark *wm_growth_find(const struct wm_growth *g,
					    const struct wm_trace *t,
					    uint64_t peak, uint64_t time,
					    double *rate);
void wm_growth_release(struct wm_growth *g);
