/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's own memory: anonymous mappings, counted.
 *
 * Any thread, any time.  Nothing comes from the application's heap.
 */
#ifndef WM_RUNTIME_POOL_H
#define WM_RUNTIME_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* Zeroed pages, or NULL. */
void *wm_pool_map(size_t bytes) wm_hidden;
void wm_pool_unmap(void *p, size_t bytes) wm_hidden;
/* The same, wiped in forked children where the kernel can; *wipes says. */
void *wm_pool_map_private(size_t bytes, int *wipes) wm_hidden;
/* Bytes mapped now; those of a parent do not count in a traced child. */
uint64_t wm_pool_bytes(void) wm_hidden;
void wm_pool_forget(void) wm_hidden;

/* A buffer that grows by mapping; contents are kept. */
struct wm_buf {
	uint8_t *p;
	size_t len, room;
};
/* Room for @more bytes after len; -1 when there is no memory. */
int wm_buf_reserve(struct wm_buf *b, size_t more) wm_hidden;

#endif
