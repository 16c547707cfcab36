/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the columns of a block to events, a slice at a time, so that the
 * events stay in the first-level cache.
 *
 * A cursor borrows the columns (struct wm_event_data) and owns nothing.  Bad
 * input ends in WM_BAD_INPUT; no byte outside the columns is ever read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/operands.h"
#include "analyze/lib/trace/reader.h"
#include "wm/trace_format.h"

#define WM_SLICE 256 /* events; even */

/*
 * Events in order, and an array for each kind of operand.  An event takes the
 * next element of path and size if it has a stack, of new_addr if it has a new
 * address, of old_addr if it has an old address, and of extra if it has an
 * extra value.
 */
struct wm_slice {
	unsigned events, stacks, news, olds, extras;
	uint8_t kind[WM_SLICE];
	uint64_t time[WM_SLICE]; /* ticks */
	uint32_t path[WM_SLICE]; /* in wm_trace.paths */
	uint64_t size[WM_SLICE];
	uint64_t new_addr[WM_SLICE];
	uint64_t old_addr[WM_SLICE];
	uint64_t extra[WM_SLICE];
};

/* No block of a real program is as large; sums of sizes cannot overflow. */
#define WM_MAX_BYTES (1ull << 50)

struct wm_cursor {
	struct wm_column time, extra;
	struct wm_ops *ops; /* the model of OPS, which has the other columns */
	/* for a crash buffer, instead of columns */
	const struct wm_event *records;
	/* slots of the table in which the addresses will be looked up, to be
	 * prefetched; set after wm_cursor_init(); NULL: no prefetching */
	const void *slots;
	unsigned shift_slots;
	uint64_t left; /* events */
	const struct wm_refused *refused; /* releases, from the next event on */
	size_t refusals; /* so many */
	uint64_t event; /* number of the next one in its thread */
	unsigned shift;
	bool gaps; /* TIME is GAPS */
	uint64_t now, run, last; /* in units of 1 << shift ticks */
	const struct wm_generation *gen;
	bool lossy; /* blocks are missing: paths may be unknown */
	uint32_t decoded[WMT_EV_LIMIT]; /* events, by kind */
};

enum wm_status wm_cursor_init(struct wm_cursor *c, const struct wm_trace *t,
			      const struct wm_event_block *b,
			      struct wm_event_data *d, struct wm_err *err);
/* Reads up to WM_SLICE events.  WM_END: the block has ended, and is sound. */
enum wm_status wm_cursor_next(struct wm_cursor *c, struct wm_slice *s,
			      struct wm_err *err);

/* Adds the events that were decoded to @count. */
void wm_cursor_count(const struct wm_cursor *c, uint64_t count[WMT_EV_LIMIT]);
