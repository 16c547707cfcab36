/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of pages in any order, which become sets when sorted.  A list is a
 * struct wm_page_set whose ranges may overlap until it is sorted; its .pages is
 * not updated.  The owner releases the memory.  Functions of type bool return
 * false without memory.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/read_page_sets.h"

bool wm_page_list_add(struct wm_page_set *list, uint64_t first, uint64_t end);
/* Sorts the ranges and joins those that meet. */
void wm_page_list_sort(struct wm_page_set *list);
/* Adds to @to the pages that are in only one of @a and @b. */
bool wm_page_list_difference(struct wm_page_set *to,
			     const struct wm_page_set *a,
			     const struct wm_page_set *b);
bool wm_page_set_copy(struct wm_page_set *to, const struct wm_page_set *from);

/* Returns whether @page is in the set, and lowers *@end to the page where the
 * answer changes.  Pages must ascend from call to call. */
bool wm_page_edges_has(struct wm_page_edges *b, uint64_t page, uint64_t *end);
