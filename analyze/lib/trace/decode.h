/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the columns of a block to events, a slice at a time, so that the
 * events stay in the first-level cache.  A cursor borrows the columns (struct
 * wm_event_data) and owns nothing.  Bad input ends in WM_BAD_INPUT; no byte
 * outside the columns is ever read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/reader.h"
#include "wm/trace_format.h"

#define WM_SLICE 256 /* events; even */

/* Events in order, and an array for each kind of operand.  Each event takes the
 * next element of the arrays for the operands that it has (wm_operands). */
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

/* Larger than any block of a real program; sums of sizes cannot overflow. */
#define WM_MAX_BYTES (1ull << 50)

struct wm_cursor {
	struct wm_column time, extra;
	struct wm_ops *ops;
	/* in a crash buffer, instead of columns */
	const struct wm_event *records;
	/* replay's slots to prefetch, or NULL; set after wm_cursor_init() */
	const void *slots;
	unsigned shift_slots;
	uint64_t left;
	const struct wm_refused *refused;
	size_t refusals;
	uint64_t event; /* number of the next event in its thread */
	unsigned shift;
	bool gaps; /* TIME has the encoding GAPS */
	uint64_t now, run, last; /* in units of 1 << shift ticks */
	const struct wm_generation *gen;
	bool lossy; /* blocks are missing: call paths may be unknown */
	uint32_t decoded[WMT_EV_LIMIT];
};

enum wm_status wm_cursor_init(struct wm_cursor *c, const struct wm_trace *t,
			      const struct wm_event_block *b,
			      struct wm_event_data *d, struct wm_err *err);
/* Reads up to WM_SLICE events; WM_END: the block has ended, and is sound. */
enum wm_status wm_cursor_next(struct wm_cursor *c, struct wm_slice *s,
			      struct wm_err *err);

void wm_cursor_count(const struct wm_cursor *c, uint64_t count[WMT_EV_LIMIT]);

/* decode_ops.c: decodes a column KIND in the encoding OPS, from half bytes and
 * the predictions of a model of the allocator (docs/trace-format.md, 6.6).  The
 * model belongs to one struct wm_event_data and starts anew with each block. */
enum wm_status wm_ops_begin(struct wm_cursor *c, struct wm_event_data *d,
			    struct wm_err *err);
void wm_ops_free(struct wm_ops *o);
size_t wm_ops_memory(const struct wm_ops *o);
/* Reads the next @n events, except their times, into @s, and the trace's
 * numbers of their call paths into @paths, which has WM_SLICE elements. */
enum wm_status wm_ops_next(struct wm_cursor *c, struct wm_slice *s, unsigned n,
			   uint64_t *paths, struct wm_err *err);
/* Returns whether nothing is left of the columns that belong to OPS. */
bool wm_ops_done(const struct wm_cursor *c);
