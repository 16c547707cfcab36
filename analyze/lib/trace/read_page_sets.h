/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of pages, as in columns of a block PAGES (docs/trace-format.md, 6.10).
 * A zeroed set is empty.  No function keeps a pointer to its arguments.  One
 * thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/head.h"

/* Page numbers [first, end); ranges of a set ascend and do not meet. */
struct wm_page_range {
	uint64_t first, end;
};

struct wm_page_set {
	struct wm_page_range *range;
	size_t count, cap;
	uint64_t pages;
};

static inline void wm_page_set_empty(struct wm_page_set *set)
{
	set->count = 0;
	set->pages = 0;
}

/* A place in a set where pages begin or end. */
struct wm_page_edges {
	const struct wm_page_set *set;
	size_t i; /* two for each range */
};

/* Returns the page of the edge, or UINT64_MAX behind the last edge. */
uint64_t wm_page_edge(const struct wm_page_edges *b);
/* Stores in *@r the next range of pages that are in only one of the two sets.
 * Returns false if there is no such range after the last one. */
bool wm_page_difference(struct wm_page_edges *a, struct wm_page_edges *b,
			struct wm_page_range *r);

/* A column of sets; `most` is the most ranges of a set. */
struct wm_page_column {
	struct wm_column in;
	size_t most;
	struct wm_page_set change;
};

/* Reads the next set of @c into @set.  @before is the set of the epoch before,
 * or NULL where no difference is allowed. */
enum wm_status wm_page_set_next(struct wm_page_column *c,
				const struct wm_page_set *before,
				struct wm_page_set *set, struct wm_err *err);
/* Sets @written to the pages of @accessed whose positions are in @places. */
enum wm_status wm_page_set_at(const struct wm_page_set *accessed,
			      const struct wm_page_set *places,
			      struct wm_page_set *written, struct wm_err *err);
/* Adds pages behind those of @set.  Returns false without memory. */
bool wm_page_set_add(struct wm_page_set *set, uint64_t first, uint64_t end);
/* Returns the first range that ends behind @page, or set->count. */
size_t wm_page_set_find(const struct wm_page_set *set, uint64_t page);
void wm_page_set_release(struct wm_page_set *set);
