/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes the events of a block in few bytes at low cost (docs/trace-format.md,
 * 6.6): predicted values take a part of one half byte, and only the values that
 * were not predicted are in columns.  The model starts anew with each block.
 * The caller holds the writer lock. */
#pragma once

#include <stddef.h>

#include "runtime/base/attributes.h"
#include "runtime/trace/encode.h"

/* Fills the columns KIND, STACK, SIZE, ALLOC_ADDR, FREE_ADDR, HANDLE and EXTRA
 * from @n records, at most WMT_OPS_EVENTS.  Returns -1 if there is no
 * memory. */
int wm_encode_ops(struct wm_columns *c, const struct wm_rec *rec,
		  size_t n) wm_hidden;
/* Makes room for these columns except EXTRA, and for the model.  Returns -1 if
 * there is no memory. */
int wm_encode_ops_reserve(struct wm_columns *c, size_t n) wm_hidden;
/* Returns the bytes of the model, without the columns. */
size_t wm_encode_ops_bytes(void) wm_hidden;
