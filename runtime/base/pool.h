/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's own memory, which is counted and never comes from the
 * application's heap.  Any thread may call these functions at any time.
 *
 * The first region is mapped at the start, with the size from memory_plan.c,
 * and suffices for the process and its first thread.  Each further thread maps
 * its own region, and so does the dictionary of call paths when its first part
 * is full.  With WM_MEMORY there is only the first region.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/varint.h"

#include "runtime/base/attributes.h"

/* Maps the first region, with room for @bytes, or returns false.  If @alone is
 * set, it is the only region, and its pages are touched now. */
bool wm_pool_start(size_t bytes, bool alone) wm_hidden;
/* Returns zeroed pages, or NULL.  wm_pool_unmap() gives them back. */
void *wm_pool_map(size_t bytes) wm_hidden;
void wm_pool_unmap(void *p, size_t bytes) wm_hidden;
/* Likewise; if a region has to be mapped, it also has room for @more bytes,
 * which the thread will ask for next. */
void *wm_pool_map_with(size_t bytes, size_t more) wm_hidden;
/* Makes the kernel wipe @p in children forked from now on, or returns false. */
bool wm_pool_wipe(void *p, size_t bytes) wm_hidden;
/* Counts @bytes that were mapped (negative: unmapped) outside of regions. */
void wm_pool_count(int64_t bytes) wm_hidden;
/* Returns the peak of the mapped bytes, without those of the parent. */
uint64_t wm_pool_high(void) wm_hidden;
uint64_t wm_pool_resident(void) wm_hidden;
/* Finds the lowest region that ends above @at, or returns false. */
bool wm_pool_region_from(uint64_t at, uint64_t *start, uint64_t *end) wm_hidden;
/* Called in a traced child: begins anew, and leaves the parent's mappings. */
void wm_pool_forget(void) wm_hidden;

struct wm_buf {
	uint8_t *p;
	size_t len, room;
};
/* Makes room for @more bytes after len.  Returns -1 if there is no memory. */
int wm_buf_reserve(struct wm_buf *b, size_t more) wm_hidden;
/* Appends @n bytes.  @p may be NULL if @n is 0.  Returns -1 without memory. */
int wm_buf_add(struct wm_buf *b, const void *p, size_t n) wm_hidden;
/* Appends @v as a varint.  Returns -1 without memory. */
static inline int wm_put_number(struct wm_buf *b, uint64_t v)
{
	if (wm_buf_reserve(b, WM_VARINT_MAX))
		return -1;
	b->len = (size_t)(wm_varint_put(b->p + b->len, v) - b->p);
	return 0;
}
