/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of a trace for the passes, each in its place among the
 * events (docs/trace-format.md, 6.11): before the next event of its own thread,
 * and before the first event of another thread that counts it.  Accesses that
 * no event counts are last; where the trace does not define an order, threads
 * take turns.
 *
 * For merge.c, which reports the progress of the threads.  One block of the
 * file for each thread that has begun and not ended is in memory, and one
 * batch.
 */
#ifndef WM_ANALYZE_ACCESS_FEED_H
#define WM_ANALYZE_ACCESS_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/replay.h"

struct wm_access_feed;

/* @progress as in merge.h.  *@f is NULL if accesses are not wanted, or the
 * trace has none. */
enum wm_status wm_access_feed_open(struct wm_access_feed **f,
				   const struct wm_trace *t,
				   struct wm_replay *r, uint64_t *progress,
				   struct wm_err *err);
/*
 * Event number @event of the thread with this index in wm_trace.threads is the
 * next one to be replayed: give all accesses before it.  *@until becomes the
 * number of the thread's next event for which this must be called.
 */
enum wm_status wm_access_feed_event(struct wm_access_feed *f, uint32_t index,
				    uint64_t event, uint64_t *until,
				    struct wm_err *err);
/* The events of that thread before number @event have been replayed, the last
 * one at @time. */
void wm_access_feed_replayed(struct wm_access_feed *f, uint32_t index,
			     uint64_t event, uint64_t time);
/* No events are left: give all remaining accesses. */
enum wm_status wm_access_feed_rest(struct wm_access_feed *f,
				   struct wm_err *err);
void wm_access_feed_close(struct wm_access_feed *f); /* may be NULL */

#endif
