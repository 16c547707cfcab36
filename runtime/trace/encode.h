/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records become the columns of a block (docs/trace-format.md, section 6).
 *
 * Used only by the holder of the writer lock; buffers are the runtime's own and
 * are used again.
 */
#ifndef WM_RUNTIME_ENCODE_H
#define WM_RUNTIME_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/pathdb.h"

struct wm_columns {
	struct wm_buf col[WMT_COL_LIMIT];
	uint64_t time_first, time_last; /* ticks >> shift */
	uint8_t encoding[WMT_COL_LIMIT]; /* WMT_ENC_*, of this block */
};

/* Room for the column TIME of @n records; -1: no memory. */
int wm_encode_times_reserve(struct wm_columns *c, size_t n) wm_hidden;
/* Fill it from @n records; -1: no memory. */
int wm_encode_times(struct wm_columns *c, const struct wm_rec *rec, size_t n,
		    unsigned shift) wm_hidden;
/* One more value in EXTRA; -1: no memory. */
int wm_encode_extra(struct wm_columns *c, uint64_t value) wm_hidden;

/* The columns that events of a kind have (WMT_EVENT_LIST). */
#define WM_HAS_STACK 1
#define WM_HAS_NEW 2
#define WM_HAS_OLD 4
#define WM_HAS_EXTRA 8
extern const uint8_t wm_event_has[WMT_EV_LIMIT] wm_hidden;

/*
 * Append paths from @first to @last to column DICT while it takes @limit bytes
 * at most (0: no limit; at least one is appended).  *@next is the first that
 * was left, NULL when none; *@count grows, as does *@frames, the number of
 * frames of the paths before @first. -1: no memory.
 */
int wm_encode_paths(struct wm_columns *c, const struct wm_path *first,
		    const struct wm_path *last, size_t limit,
		    const struct wm_path **next, uint32_t *count,
		    uint32_t *frames) wm_hidden;

#endif
