/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges of addresses that are mapped: an array in order of address.  There
 * are tens of thousands of mappings at most (the kernel sees to that), and
 * they change seldom: no tree is needed.  One thread at a time.
 */
#ifndef WM_ANALYZE_RANGES_H
#define WM_ANALYZE_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct wm_range {
	uint64_t start, end; /* end is behind the last byte; never empty */
	uint64_t origin; /* where the call began that made it */
	uint64_t born; /* ticks */
	uint32_t path;
	uint32_t name; /* number in NAMES; 0: none */
	uint8_t family; /* enum wm_family */
};

/* All zero is empty. */
struct wm_ranges {
	struct wm_range *at;
	size_t count, cap;
};

void wm_ranges_release(struct wm_ranges *r);
/* Index of the first range that ends behind @addr; r->count: none does. */
size_t wm_ranges_find(const struct wm_ranges *r, uint64_t addr);
/* Is a byte of [@start, @end) in a range? */
int wm_ranges_touch(const struct wm_ranges *r, uint64_t start, uint64_t end);
/*
 * Put @count ranges, in order, into the place of the @old ones from index @i
 * on.  Returns -1, and changes nothing, when memory is short.
 */
int wm_ranges_replace(struct wm_ranges *r, size_t i, size_t old,
		      const struct wm_range *with, size_t count);

#endif
