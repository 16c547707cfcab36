/* SPDX-License-Identifier: Apache-2.0 */
/* Complete .xz Streams in memory, one for each block of the trace.  The caller
 * holds the writer lock.  Compression takes at most a share of the elapsed
 * time; data for which there is no time are stored. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/trace/cpu_budget.h"

/* Reserves wm_xz_bytes(), if there is memory.  Has to be called first. */
void wm_xz_reserve(void) wm_hidden;
/* Empties @out and begins a Stream in it.  Returns -1 if there is no memory. */
int wm_xz_begin(struct wm_buf *out) wm_hidden;
/* Adds one xz Block with @n > 0 bytes.  Whether it is compressed or stored
 * depends on earlier data of the same @column; column 0 is the head. */
int wm_xz_add(struct wm_buf *out, unsigned column, const uint8_t *data,
	      size_t n) wm_hidden;
/* Likewise, but always stores the bytes, which are packed already. */
int wm_xz_store(struct wm_buf *out, const uint8_t *data, size_t n) wm_hidden;
/* wm_xz_is_due() returns whether it is worthwhile to compress a column that can
 * also be packed in another way.  If it is, wm_xz_try() gets the size that the
 * other way gives (@or_else). */
bool wm_xz_is_due(unsigned column, size_t n) wm_hidden;
int wm_xz_try(struct wm_buf *out, unsigned column, const uint8_t *data,
	      size_t n, size_t or_else) wm_hidden;
/* Returns memory for other packing, valid until the next compression, or
 * NULL. */
void *wm_xz_scratch(size_t bytes) wm_hidden;
struct wm_budget *wm_xz_budget(void) wm_hidden;
int wm_xz_end(struct wm_buf *out) wm_hidden;
/* Returns the bytes of memory for compression, without @out. */
size_t wm_xz_bytes(void) wm_hidden;
