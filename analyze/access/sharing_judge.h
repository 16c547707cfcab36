/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes whether threads share a line, and how often the line may have moved
 * between them, from their accesses to the line.  Any thread.
 */
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

/* The bytes of a line that the accesses of one thread and one cell touched:
 * from @from to @to inclusive. */
struct wm_sharing_part {
	uint64_t thread;
	uint32_t cell;
	uint16_t from, to;
	uint32_t loads, stores; /* counted up to 2^32 - 1 */
};

struct wm_sharing_judged {
	uint64_t moves; /* at most; 0: it is not shared in this way */
	uint64_t accesses, threads; /* of those that share it */
	uint32_t
		cell[2]; /* of the part with most stores and of its partner with
			   * most accesses, in order */
	uint32_t parts, parts_left_out;
	struct wm_sharing_part part[WM_SHARING_PARTS]; /* most accesses first */
};

/* Returns the mask of bits @from to @to, both included, below 64. */
static inline uint64_t wm_sharing_mask(unsigned from, unsigned to)
{
	return (UINT64_MAX >> (63 - (to - from))) << from;
}

/* Judges the bytes that several threads access if @overlaps is set, and
 * otherwise the bytes that only one thread accesses. */
void wm_sharing_judge(const struct wm_sharing_line_use *use, bool overlaps,
		      struct wm_sharing_judged *j);
