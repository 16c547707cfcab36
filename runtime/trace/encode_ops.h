/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a block in few bytes at low cost (docs/trace-format.md, 6.6):
 * predicted values take a part of one half byte, only the rest is in columns.
 *
 * The model starts anew with each block.  Called with the writer lock.
 */
#ifndef WM_RUNTIME_ENCODE_OPS_H
#define WM_RUNTIME_ENCODE_OPS_H

#include <stddef.h>

#include "runtime/base/attributes.h"
#include "runtime/trace/encode.h"

/* Fill the columns KIND, STACK, SIZE, ALLOC_ADDR, FREE_ADDR, HANDLE and EXTRA
 * from @n records, WMT_OPS_EVENTS at most; -1: no memory. */
int wm_encode_ops(struct wm_columns *c, const struct wm_rec *rec,
		  size_t n) wm_hidden;
/* Makes room for all of these columns but EXTRA, and for the model; -1: no
 * memory. */
int wm_encode_ops_reserve(struct wm_columns *c, size_t n) wm_hidden;
/* Memory of the model, beside the columns. */
size_t wm_encode_ops_bytes(void) wm_hidden;

#endif
