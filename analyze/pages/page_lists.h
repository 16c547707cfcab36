/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of pages that are made in any order and become sets; two sets side by
 * side.
 *
 * A list is a struct wm_page_set whose ranges may meet and lie in any order
 * until it is sorted; its .pages is not kept.  Memory is the owner's to
 * release.  One thread at a time.
 */
#ifndef WM_ANALYZE_PAGE_LISTS_H
#define WM_ANALYZE_PAGE_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/read_page_sets.h"

/* False: no memory. */
bool wm_page_list_add(struct wm_page_set *list, uint64_t first, uint64_t end);
/* In order, and none twice. */
void wm_page_list_sort(struct wm_page_set *list);
/* Add to @to the pages that are in only one of the sets @a and @b; false: no
 * memory. */
bool wm_page_list_difference(struct wm_page_set *to,
			     const struct wm_page_set *a,
			     const struct wm_page_set *b);
/* False: no memory. */
bool wm_page_set_copy(struct wm_page_set *to, const struct wm_page_set *from);

/* Whether @page is in the set; *@end, where that is above it, becomes where
 * that ends.  Asked for in order. */
bool wm_page_edges_has(struct wm_page_edges *b, uint64_t page, uint64_t *end);

#endif
