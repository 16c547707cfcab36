/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's own memory: anonymous mappings, counted.
 *
 * It lies in regions of whole pages.  The first one is mapped at start
 * (memory_plan.c says how large it has to be) and holds all that the process
 * and its first thread need; a further thread brings a region of its own, and
 * so does what the dictionary of call paths needs beyond its first part.  With
 * WM_MEMORY there is only the first one.
 *
 * Any thread, any time.  Nothing comes from the application's heap.
 */
#ifndef WM_RUNTIME_POOL_H
#define WM_RUNTIME_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/*
 * Map the first region, with room for @bytes; false: there is no memory.
 * @alone: there will be no other, and its pages are touched now.
 */
bool wm_pool_start(size_t bytes, bool alone) wm_hidden;
/* Zeroed pages, or NULL. */
void *wm_pool_map(size_t bytes) wm_hidden;
/* The same; a region that has to be mapped for it has room for @more bytes,
 * too: what the thread will ask for next. */
void *wm_pool_map_with(size_t bytes, size_t more) wm_hidden;
void wm_pool_unmap(void *p, size_t bytes) wm_hidden;
/* @p is wiped in forked children from now on, where the kernel can: true. */
bool wm_pool_wipe(void *p, size_t bytes) wm_hidden;
/* @bytes more, or less, are mapped elsewhere: the crash buffer. */
void wm_pool_count(int64_t bytes) wm_hidden;
/* Bytes mapped at most; those of a parent do not count in a traced child. */
uint64_t wm_pool_high(void) wm_hidden;
/* Bytes of them that are resident now. */
uint64_t wm_pool_resident(void) wm_hidden;
/* The region that ends lowest behind @at; false: none. */
bool wm_pool_region_from(uint64_t at, uint64_t *start, uint64_t *end) wm_hidden;
/* In a traced child: what is mapped stays the parent's.  Begins anew. */
void wm_pool_forget(void) wm_hidden;

/* A buffer that grows by mapping; contents are kept. */
struct wm_buf {
	uint8_t *p;
	size_t len, room;
};
/* Room for @more bytes after len; -1 when there is no memory. */
int wm_buf_reserve(struct wm_buf *b, size_t more) wm_hidden;

#endif
