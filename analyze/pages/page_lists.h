/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of pages that are made in any order and become sets, and functions on
 * two sets.
 *
 * A list is a struct wm_page_set whose ranges are in any order and may meet
 * until the list is sorted; its .pages is not updated.  The owner releases its
 * memory.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/read_page_sets.h"

/* Returns false without memory. */
bool wm_page_list_add(struct wm_page_set *list, uint64_t first, uint64_t end);
/* Sorts the ranges and joins ranges that meet. */
void wm_page_list_sort(struct wm_page_set *list);
/* Adds to @to the pages that are in only one of the sets @a and @b.  Returns
 * false without memory. */
bool wm_page_list_difference(struct wm_page_set *to,
			     const struct wm_page_set *a,
			     const struct wm_page_set *b);
/* Returns false without memory. */
bool wm_page_set_copy(struct wm_page_set *to, const struct wm_page_set *from);

/* Returns whether @page is in the set, and lowers *@end to the page where the
 * answer changes.  Pages must ascend from call to call. */
bool wm_page_edges_has(struct wm_page_edges *b, uint64_t page, uint64_t *end);
