/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ranges of addresses whose pages are followed: ascending, disjoint.
 *
 * Only for the service thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

enum wm_page_range_state {
	/* The range had no access so far. */
	WM_RANGE_CLOSED,
	/* The range is new and was all zero: its pages that exist have been
	 * accessed.  Writes are unknown. */
	WM_RANGE_FRESH,
	/* Accesses and writes can be found by the range's pages. */
	WM_RANGE_ARMED,
};

struct wm_watched_range {
	uint64_t start, end; /* whole pages */
	int64_t shift; /* byte @a of it is byte @a + shift of the file */
	uint8_t kind; /* WMT_COVERED_* */
	uint8_t state; /* enum wm_page_range_state */
	uint8_t lock; /* enum wm_pages_lock; locked pages show no accesses */
};

/* Returns the index of the first range that ends above @at, or
 * wm_ranges_count() if there is none. */
size_t wm_ranges_from(uint64_t at) wm_hidden;
struct wm_watched_range *wm_ranges_at(size_t i) wm_hidden;
size_t wm_ranges_count(void) wm_hidden;
/* Makes room for the ranges that one call of the program may add.  Returns
 * false without memory. */
bool wm_ranges_reserve(void) wm_hidden;
/* Adds @r, which must not overlap another range.  Returns false without
 * memory. */
bool wm_ranges_add(const struct wm_watched_range *r) wm_hidden;
/* Cuts a range across @at into two.  Returns false without memory. */
bool wm_ranges_split(uint64_t at) wm_hidden;
/* Removes all ranges in [@start, @end), at whose bounds ranges must end and
 * begin. */
void wm_ranges_remove(uint64_t start, uint64_t end) wm_hidden;
/* Joins ranges that are equal to their neighbours. */
void wm_ranges_join(void) wm_hidden;
/* Returns true if a range uses bytes of the file in [@start, @end). */
bool wm_ranges_use(uint64_t start, uint64_t end) wm_hidden;
