/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long blocks live (pass lifetime) and how large they are (pass sizes), by
 * call path, in addition to struct wm_use.
 *
 * Blocks are those of the heap and of MPI; a realloc ends the lifetime of one
 * block and begins that of another.  Parts of mappings are added and removed,
 * so mappings count only for .first and .last.  Plain data.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/passes/trend.h"

/* Lifetimes shorter than 100 ns, 1 us ... 100 s, and all longer ones. */
#define WM_LIFETIMES 11
/* Blocks of 0, 1, 2 to 3, 4 to 7 ... bytes. */
#define WM_SIZES 65

struct wm_lifetime {
	uint64_t blocks, bytes; /* that were allocated */
	uint64_t released;
	uint64_t most; /* blocks alive at a time; over ranks the sum */
	uint64_t lived_ns; /* sum over released blocks */
	uint64_t lifetimes[WM_LIFETIMES]; /* released blocks */
	/* allocations of blocks that were never freed, as wm_use.end_blocks */
	uint64_t left; /* blocks */
	double first, last; /* seconds */
	/* of this path by itself; answers/leaks/trends.h has the trend of all
	 * paths together that look the same to people */
	enum wm_trend trend;
	/* for several ranks these marks prove nothing */
	struct wm_trend_marks marks;
	/* In some rank, each block that was larger than all blocks before was
	 * about twice as large as the largest of them: a vector, or an array
	 * that the program doubles. */
	bool doubles;
	/* bits of stretches with allocations, in ranks that were not too
	 * brief */
	uint16_t active;
};

struct wm_sizes {
	uint64_t blocks[WM_SIZES], bytes[WM_SIZES]; /* that were allocated */
	uint64_t peak_blocks[WM_SIZES], peak_bytes[WM_SIZES];
};

void wm_lifetime_add(struct wm_lifetime *to, const struct wm_lifetime *from);
