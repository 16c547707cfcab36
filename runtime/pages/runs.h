/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of pages as lists of runs (page_sets.h), in buffers that grow. */
#pragma once

#include <stddef.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/pages/page_sets.h"

static inline struct wm_page_run *wm_runs(const struct wm_buf *b)
{
	return (struct wm_page_run *)(void *)b->p;
}

static inline size_t wm_runs_count(const struct wm_buf *b)
{
	return b->len / sizeof(struct wm_page_run);
}

/* Makes the runs of @b, in any order, ascending, disjoint and not adjacent. */
void wm_runs_sort(struct wm_buf *b) wm_hidden;
/* Stores the union of @a and @b, both ascending, in @out.  Returns -1 without
 * memory. */
int wm_runs_unite(struct wm_buf *out, const struct wm_buf *a,
		  const struct wm_buf *b) wm_hidden;
uint64_t wm_runs_pages(const struct wm_buf *b) wm_hidden;
/* Appends the set @accessed to @sets and the places that @written has in it to
 * @places (page_sets.h).  @before may be NULL.  Returns -1 without memory. */
int wm_runs_encode(struct wm_buf *sets, const struct wm_buf *accessed,
		   const struct wm_buf *before, struct wm_buf *places,
		   const struct wm_buf *written) wm_hidden;
