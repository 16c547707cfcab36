/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the threads of one trace in one order, and replays them.
 *
 * The next thread is the one with the lowest (time of its next event, number).
 * A thread whose next event contradicts the live memory waits until an event of
 * another thread touches the same address.  When the lowest time of the other
 * threads is later than that event by the skew window, the event is forced.
 * The skew window is 10 microseconds and one unit of time resolution.
 *
 * Memory holds at most one block of each thread, as packed columns, and one
 * decoded slice of this block.
 */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/replay/tally.h"
#include "analyze/lib/trace/reader.h"

#define WM_SKEW_NS 10000

/* A trace that is being replayed.  The trace, the passes and the objects behind
 * the pointers must exist until it is closed.  Unless @progress is NULL, it is
 * raised by the number of bytes that were read. */
struct wm_merge;
enum wm_status wm_merge_open(struct wm_merge **m, const struct wm_trace *t,
			     struct wm_passes *passes, struct wm_tally *tally,
			     uint64_t *progress, struct wm_err *err);
/* Replays until the passes were given something.  Returns WM_END if they
 * already have everything, or WM_BAD_INPUT if a block is damaged; the passes
 * are then useless. */
enum wm_status wm_merge_next(struct wm_merge *m, struct wm_err *err);
/* Also fills the tally.  @m may be NULL. */
void wm_merge_close(struct wm_merge *m);
