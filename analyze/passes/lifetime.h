/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long blocks live, by call path, beside struct wm_use (pass lifetime), and
 * how large they are (pass sizes).
 *
 * Blocks of the heap and of MPI; a realloc ends the lifetime of one block and
 * begins that of another.  Mappings have parts that come and go, and count for
 * first and last only.  Plain data.
 */
#ifndef WM_ANALYZE_LIFETIME_H
#define WM_ANALYZE_LIFETIME_H

#include <stdbool.h>
#include <stdint.h>

/* Lifetimes shorter than 100 ns, 1 us ... 100 s, and others. */
#define WM_LIFETIMES 11
#define WM_STRETCHES 16
#define WM_GROWS_IN 3
#define WM_GROWS_OVER 4
#define WM_GROWS_MS 100 /* no stretches are judged of a shorter time */
/* Sizes of 0, 1, 2 to 3, 4 to 7 ... bytes. */
#define WM_SIZES 65

struct wm_lifetime {
	uint64_t blocks, bytes; /* that were allocated */
	uint64_t released;
	uint64_t most; /* blocks alive at a time; over ranks the sum */
	uint64_t lived_ns; /* sum over released blocks */
	uint64_t lifetimes[WM_LIFETIMES]; /* released blocks */
	/* allocations of what was never freed, as wm_use.end_blocks */
	uint64_t left; /* blocks */
	double first, last; /* seconds */
	/*
	 * In some rank such allocations go on: they fall into WM_GROWS_IN or
	 * more of WM_STRETCHES equal stretches of its time, the first and the
	 * last of which are WM_GROWS_OVER apart, and the time after the last is
	 * not longer than that between them.  Or realloc makes a block that was
	 * never freed larger in such stretches.
	 */
	bool grows;
	/* In some rank the time after the last is longer, and none grows. */
	bool stopped;
	/* In some rank there were several such allocations, and its time is too
	 * short to show whether they go on: it does not count for grows. */
	bool brief;
	/* In some rank each block that was larger than all before was about
	 * twice as large: a vector, or what a program doubles itself. */
	bool doubles;
	uint32_t active; /* stretches with allocations: bits */
};

struct wm_sizes {
	uint64_t blocks[WM_SIZES], bytes[WM_SIZES]; /* that were allocated */
	uint64_t peak_blocks[WM_SIZES], peak_bytes[WM_SIZES];
};

/* @stretches are as many and as far apart as those of what grows. */
bool wm_lifetime_goes_on(uint32_t stretches);

void wm_lifetime_add(struct wm_lifetime *to, const struct wm_lifetime *from);

#endif
