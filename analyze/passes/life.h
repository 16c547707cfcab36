/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long blocks live: what pass life knows of each call path, beside struct
 * wm_use, and of each size.
 *
 * Blocks of the heap and of MPI; a realloc ends the life of one block and
 * begins that of another.  Mappings have parts that come and go, and count
 * for first and last only.  Plain data.
 */
#ifndef WM_ANALYZE_LIFE_H
#define WM_ANALYZE_LIFE_H

#include <stdint.h>

/* Lives shorter than 100 ns, 1 us ... 100 s, and others. */
#define WM_LIVES 11
/* Sizes of 0, 1, 2 to 3, 4 to 7 ... bytes. */
#define WM_SIZES 65

struct wm_life {
	uint64_t blocks, bytes; /* that were allocated */
	uint64_t released;
	uint64_t most; /* blocks alive at a time; over ranks the sum */
	uint64_t lived_ns; /* sum over released blocks */
	uint64_t lives[WM_LIVES]; /* released blocks */
	/* allocations of what was never freed, as wm_use.end_blocks */
	uint64_t left; /* blocks */
	double first, last; /* seconds */
};

struct wm_sizes {
	uint64_t blocks[WM_SIZES], bytes[WM_SIZES]; /* that were allocated */
	uint64_t peak_blocks[WM_SIZES], peak_bytes[WM_SIZES];
};

void wm_life_add(struct wm_life *to, const struct wm_life *from);

#endif
