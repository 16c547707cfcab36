/* SPDX-License-Identifier: Apache-2.0 */
/* Lifetimes (pass lifetime) and sizes (pass sizes) of the blocks of the heap
 * and of MPI, by call path.  A realloc ends the lifetime of one block and
 * begins that of another.  Mappings count only for .first and .last, because
 * programs add and remove parts of mappings.  Plain data. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/passes/trend.h"

/* Classes of lifetimes: below 100 ns, 1 us ... 100 s, and longer. */
#define WM_LIFETIMES 11
/* Classes of sizes: 0, 1, 2 to 3, 4 to 7 ... bytes. */
#define WM_SIZES 65

struct wm_lifetime {
	uint64_t blocks, bytes; /* allocated */
	uint64_t released;
	uint64_t most; /* blocks alive at one time; sum over ranks */
	uint64_t lived_ns; /* sum over released blocks */
	uint64_t lifetimes[WM_LIFETIMES];
	/* of blocks that were never freed, as in wm_use.end_blocks */
	uint64_t left;
	double first, last; /* seconds of their first and last allocation */
	/* only of this path; answers/leaks/trends.h has the trend of all paths
	 * that look the same in reports */
	enum wm_trend trend;
	/* valid only for one rank */
	struct wm_trend_marks marks;
	/* In some rank, each block larger than all blocks before was about
	 * twice as large as the largest of them, as of a vector that the
	 * program doubles. */
	bool doubles;
	/* bits of stretches with allocations, without ranks that are brief */
	uint16_t active;
};

struct wm_sizes {
	uint64_t blocks[WM_SIZES], bytes[WM_SIZES]; /* allocated */
	uint64_t peak_blocks[WM_SIZES], peak_bytes[WM_SIZES];
};

void wm_lifetime_add(struct wm_lifetime *to, const struct wm_lifetime *from);
