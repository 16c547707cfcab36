/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complete .xz Streams in memory: one per block of the trace.
 *
 * Used by the holder of the writer lock only.  Compression stays within a
 * share of the elapsed time; what it cannot afford is stored.
 */
#ifndef WM_RUNTIME_XZ_H
#define WM_RUNTIME_XZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/base/pool.h"
#include "runtime/trace/purse.h"

/* Take wm_xz_bytes(), if they are there; before all else. */
void wm_xz_reserve(void) wm_hidden;
/* Begin a Stream in @out (emptied first); -1: no memory. */
int wm_xz_begin(struct wm_buf *out) wm_hidden;
/* Add one xz Block with @n > 0 bytes.  @column steers the choice between
 * compressing and storing; 0 is the head. */
int wm_xz_add(struct wm_buf *out, unsigned column, const uint8_t *data,
	      size_t n) wm_hidden;
/* The same, of bytes that are packed already. */
int wm_xz_store(struct wm_buf *out, const uint8_t *data, size_t n) wm_hidden;
/* For a column that can also be packed in another way: whether it is to be
 * compressed all the same, for that may be smaller; then with wm_xz_try(), and
 * how many bytes the other way takes. */
bool wm_xz_is_due(unsigned column, size_t n) wm_hidden;
int wm_xz_try(struct wm_buf *out, unsigned column, const uint8_t *data,
	      size_t n, size_t or_else) wm_hidden;
/* @bytes until something is compressed, for whoever packs by other means; NULL:
 * nothing is to be packed, or no memory. */
void *wm_xz_scratch(size_t bytes) wm_hidden;
/* What pays for packing by other means, too. */
struct wm_purse *wm_xz_purse(void) wm_hidden;
int wm_xz_end(struct wm_buf *out) wm_hidden;
/* What compressing takes, beside @out. */
size_t wm_xz_bytes(void) wm_hidden;

#endif
