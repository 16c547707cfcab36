/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records become the columns of a block (docs/trace-format.md, section 6).
 *
 * Used by the holder of the writer lock only; buffers are the runtime's own
 * and are used again.
 */
#ifndef WM_RUNTIME_ENCODE_H
#define WM_RUNTIME_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/pool.h"
#include "runtime/stackdb.h"
#include "runtime/state.h"

struct wm_columns {
	struct wm_buf col[WMT_COL_LIMIT];
	uint64_t time_first, time_last; /* ticks >> shift */
	uint8_t kind_encoding; /* WMT_ENC_*, of column KIND */
};

/* Fill the columns of events from @n records; -1: no memory. */
int wm_encode_events(struct wm_columns *c, const struct wm_rec *rec, size_t n,
		     unsigned shift) wm_hidden;

/*
 * Append paths from @first to @last to column DICT until it has @limit bytes
 * (at least one is appended).  *@next is the first that was left, NULL when
 * none; *@count grows.  -1: no memory.
 */
int wm_encode_paths(struct wm_columns *c, const struct wm_path *first,
		    const struct wm_path *last, size_t limit,
		    const struct wm_path **next, uint32_t *count) wm_hidden;

#endif
