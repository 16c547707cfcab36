/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mapped ranges of addresses, in order of address.
 *
 * A process may have millions of ranges (neighbours that the kernel joins are
 * separate here), in any order.  The ranges are kept in pages of some dozens,
 * so that few ranges move when one is added or removed.  Ranges that are
 * released by their origin (shared memory, stacks of threads) are also in a
 * second list, in the order of their origins.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_range {
	uint64_t start, end; /* end is behind the last byte */
	uint64_t origin; /* start of the range of the call that made it */
	uint64_t alloc_time; /* ticks */
	uint32_t path;
	uint32_t name; /* number in NAMES; 0: none */
	uint8_t family;
};

struct wm_range_page;

struct wm_range_list {
	struct wm_range_page **page; /* no page is empty */
	size_t pages, cap;
};

/* A zeroed struct is empty. */
struct wm_ranges {
	struct wm_range_list by_addr, by_origin;
	size_t count;
};

void wm_ranges_release(struct wm_ranges *r);
/* Returns the first range that ends behind @addr, or NULL.  A call with the end
 * of this range finds the next range.  The pointer is valid until a change. */
struct wm_range *wm_ranges_find(const struct wm_ranges *r, uint64_t addr);
/* Returns the first range left from the SHM or THREAD_STACK call whose memory
 * began at @origin, or NULL. */
struct wm_range *wm_ranges_of(const struct wm_ranges *r, uint64_t origin,
			      uint8_t family);
bool wm_ranges_touch(const struct wm_ranges *r, uint64_t start, uint64_t end);
/* Adds @x where no range is.  Returns -1 without memory. */
int wm_ranges_put(struct wm_ranges *r, const struct wm_range *x);
void wm_ranges_remove(struct wm_ranges *r, const struct wm_range *x);
