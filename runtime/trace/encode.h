/* SPDX-License-Identifier: Apache-2.0 */
/* Turns records into the columns of a block (docs/trace-format.md, section 6).
 * The caller holds the writer lock.  -1: there is no memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/pathdb.h"

struct wm_columns {
	struct wm_buf col[WMT_COL_LIMIT];
	uint64_t time_first, time_last;
	uint8_t encoding[WMT_COL_LIMIT];
};

int wm_encode_times_reserve(struct wm_columns *c, size_t n) wm_hidden;
int wm_encode_times(struct wm_columns *c, const struct wm_rec *rec, size_t n,
		    unsigned shift) wm_hidden;

/* The columns that events of a kind have (WMT_EVENT_LIST). */
#define WM_HAS_STACK 1
#define WM_HAS_NEW 2
#define WM_HAS_OLD 4
#define WM_HAS_EXTRA 8
extern const uint8_t wm_event_has[WMT_EV_LIMIT] wm_hidden;

/* encode_ops.c */

/* Fills the columns KIND, STACK, SIZE, ALLOC_ADDR, FREE_ADDR, HANDLE and EXTRA
 * from @n records, at most WMT_OPS_EVENTS, with the events of a
 * block (docs/trace-format.md, 6.6). */
int wm_encode_ops(struct wm_columns *c, const struct wm_rec *rec,
		  size_t n) wm_hidden;
/* Makes room for these columns except EXTRA, and for the model. */
int wm_encode_ops_reserve(struct wm_columns *c, size_t n) wm_hidden;
/* Returns the bytes of the model, without the columns. */
size_t wm_encode_ops_bytes(void) wm_hidden;

/* Appends the paths from @first to @last to column DICT, at least one and then
 * as long as the column has at most @limit bytes (0: no limit).  Stores the
 * first path that was left, or NULL, in *@next.  Adds the number of appended
 * paths to *@count.  *@frames is the number of frames of all paths before
 * @first, and grows likewise. */
int wm_encode_paths(struct wm_columns *c, const struct wm_path *first,
		    const struct wm_path *last, size_t limit,
		    const struct wm_path **next, uint32_t *count,
		    uint32_t *frames) wm_hidden;
