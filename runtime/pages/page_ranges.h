/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges of addresses whose pages are followed: ascending, disjoint.  Only
 * for the service thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

enum wm_page_range_state {
	/* The range had no access so far. */
	WM_RANGE_CLOSED,
	/* The range was all zero: its present pages have been accessed.  Writes
	 * are unknown. */
	WM_RANGE_FRESH,
	/* Accesses and writes can be found. */
	WM_RANGE_ARMED,
};

struct wm_watched_range {
	uint64_t start, end;
	int64_t shift; /* byte @a is byte @a + shift of the file */
	uint8_t kind; /* WMT_COVERED_* */
	uint8_t state; /* enum wm_page_range_state */
	uint8_t lock; /* enum wm_pages_lock; locked pages show no accesses */
};

/* Returns the index of the first range that ends above @at, or the count. */
size_t wm_ranges_from(uint64_t at) wm_hidden;
struct wm_watched_range *wm_ranges_at(size_t i) wm_hidden;
size_t wm_ranges_count(void) wm_hidden;
/* Makes room for the ranges that one call of the program may add.  Returns
 * false without memory. */
bool wm_ranges_reserve(void) wm_hidden;
/* @r must not overlap another range.  Returns false without memory. */
bool wm_ranges_add(const struct wm_watched_range *r) wm_hidden;
/* Splits a range that contains @at.  Returns false without memory. */
bool wm_ranges_split(uint64_t at) wm_hidden;
/* Removes all ranges in [@start, @end), which must not cut a range. */
void wm_ranges_remove(uint64_t start, uint64_t end) wm_hidden;
void wm_ranges_join(void) wm_hidden;
/* The bounds are bytes of the file. */
bool wm_ranges_use(uint64_t start, uint64_t end) wm_hidden;
