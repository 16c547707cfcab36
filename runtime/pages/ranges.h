/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranges of addresses whose pages are followed: ascending, disjoint.
 *
 * For the service thread alone.
 */
#ifndef WM_RUNTIME_RANGES_H
#define WM_RUNTIME_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

enum wm_page_range_state {
	/* It had no access so far. */
	WM_RANGE_CLOSED,
	/* It is new: a page that is there has been accessed, and all of it was
	 * zero.  Nothing tells of writes. */
	WM_RANGE_FRESH,
	/* Its pages tell of accesses and of writes. */
	WM_RANGE_ARMED,
};

struct wm_page_range {
	uint64_t start, end; /* whole pages */
	int64_t shift; /* byte @a of it is byte @a + shift of the file */
	uint8_t kind; /* WMT_COVERED_* */
	uint8_t state; /* enum wm_page_range_state */
	uint8_t lock; /* enum wm_pages_lock; what is locked tells nothing */
};

/* The first one that ends behind @at; wm_ranges_count: none. */
size_t wm_ranges_from(uint64_t at) wm_hidden;
struct wm_page_range *wm_ranges_at(size_t i) wm_hidden;
size_t wm_ranges_count(void) wm_hidden;
/* Room for what one call of the program may add; false: no memory. */
bool wm_ranges_reserve(void) wm_hidden;
/* false: no memory. @r overlaps none. */
bool wm_ranges_add(const struct wm_page_range *r) wm_hidden;
/* A range begins at @at and none goes across it; false: no memory. */
bool wm_ranges_split(uint64_t at) wm_hidden;
/* None of [@start, @end) any more, on whose bounds ranges end and begin. */
void wm_ranges_remove(uint64_t start, uint64_t end) wm_hidden;
/* What has become the same as its neighbour becomes one with it. */
void wm_ranges_join(void) wm_hidden;
/* Does one use bytes of the file in [@start, @end)? */
bool wm_ranges_use(uint64_t start, uint64_t end) wm_hidden;

#endif
