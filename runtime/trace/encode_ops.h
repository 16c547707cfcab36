/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a block with as few bytes as a quick look allows
 * (docs/trace-format.md, 6.6): what can be predicted from the events before
 * takes part of one half byte, only the rest goes to columns.
 *
 * The model starts anew with each block.  Used by the holder of the writer
 * lock only.
 */
#ifndef WM_RUNTIME_ENCODE_OPS_H
#define WM_RUNTIME_ENCODE_OPS_H

#include <stddef.h>

#include "runtime/trace/encode.h"

/*
 * Fill the columns KIND, STACK, SIZE, ALLOC_ADDR, FREE_ADDR, HANDLE and EXTRA
 * from @n records, WMT_OPS_EVENTS at most; -1: no memory.
 */
int wm_encode_ops(struct wm_columns *c, const struct wm_rec *rec,
		  size_t n) wm_hidden;
/* Room for all of these but EXTRA, and for what it takes beside the columns;
 * -1: no memory. */
int wm_encode_ops_reserve(struct wm_columns *c, size_t n) wm_hidden;
/* Memory that it takes, beside the columns. */
size_t wm_encode_ops_bytes(void) wm_hidden;

#endif
