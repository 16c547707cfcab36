/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's own memory: anonymous mappings, which are counted.
 *
 * The memory consists of regions of whole pages.  The first region is mapped at
 * the start, with the size from memory_plan.c, and suffices for the process and
 * its first thread.  Each further thread maps its own region, and so does the
 * dictionary of call paths when its first part is full.  With WM_MEMORY there
 * is only the first region.
 *
 * Any thread may call these functions at any time.  No memory comes from the
 * application's heap.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Maps the first region, with room for @bytes.  Returns false if there is no
 * memory.  If @alone is set, there will be no other region, and its pages are
 * touched now. */
bool wm_pool_start(size_t bytes, bool alone) wm_hidden;
/* wm_pool_map() returns zeroed pages of the runtime's own, or NULL;
 * wm_pool_unmap() gives pages back.  Any thread. */
void *wm_pool_map(size_t bytes) wm_hidden;
void wm_pool_unmap(void *p, size_t bytes) wm_hidden;
/* Does what wm_pool_map() does.  If a region has to be mapped, the region also
 * has room for @more bytes, which the thread will ask for next. */
void *wm_pool_map_with(size_t bytes, size_t more) wm_hidden;
/* Makes the kernel wipe @p in children forked from now on, or returns false. */
bool wm_pool_wipe(void *p, size_t bytes) wm_hidden;
/* Counts @bytes that were mapped outside of regions, as the crash buffer is.
 * Negative @bytes were unmapped. */
void wm_pool_count(int64_t bytes) wm_hidden;
/* Returns the most bytes ever mapped; a child does not count its parent's. */
uint64_t wm_pool_high(void) wm_hidden;
/* Returns the mapped bytes that are resident now. */
uint64_t wm_pool_resident(void) wm_hidden;
/* Finds the lowest region that ends above @at; false: there is none. */
bool wm_pool_region_from(uint64_t at, uint64_t *start, uint64_t *end) wm_hidden;
/* Called in a traced child: begins anew, and leaves the parent's mappings. */
void wm_pool_forget(void) wm_hidden;

/* A buffer that grows by mapping and keeps its contents. */
struct wm_buf {
	uint8_t *p;
	size_t len, room;
};
/* Makes room for @more bytes after len.  Returns -1 if there is no memory. */
int wm_buf_reserve(struct wm_buf *b, size_t more) wm_hidden;
/* Appends @n bytes at @p, which may be NULL if @n is 0; -1 likewise. */
int wm_buf_add(struct wm_buf *b, const void *p, size_t n) wm_hidden;
