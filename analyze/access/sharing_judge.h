/* SPDX-License-Identifier: Apache-2.0 */
/* Computes from the accesses to a line whether threads share it, and how often
 * it may have moved between threads.  Any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WM_SHARING_USES 256 /* uses of a line that are compared */
#define WM_SHARING_PARTS 16 /* uses that are reported */

struct wm_sharing_use {
	uint64_t touched; /* a bit for each unit of the line */
	uint32_t thread, cell;
	uint32_t loads, stores;
};

struct wm_sharing_line_use {
	size_t count, left_out;
	struct wm_sharing_use use[WM_SHARING_USES];
};

/* Bytes @from to @to of a line that one thread touched from one cell. */
struct wm_sharing_part {
	uint64_t thread;
	uint32_t cell;
	uint16_t from, to;
	uint32_t loads, stores; /* up to 2^32 - 1 */
};

struct wm_sharing_judged {
	uint64_t moves; /* upper bound; 0: not shared in this way */
	uint64_t accesses, threads; /* of those that share the line */
	/* of the part with most stores, and of its most active partner, in
	 * order */
	uint32_t cell[2];
	uint32_t parts, parts_left_out;
	struct wm_sharing_part part[WM_SHARING_PARTS]; /* most accesses first */
};

/* Returns bits @from to @to, inclusive, below 64. */
static inline uint64_t wm_sharing_mask(unsigned from, unsigned to)
{
	return (UINT64_MAX >> (63 - (to - from))) << from;
}

/* Takes only bytes that several threads access if @overlaps, else only bytes
 * that one thread accesses. */
void wm_sharing_judge(const struct wm_sharing_line_use *use, bool overlaps,
		      struct wm_sharing_judged *j);
