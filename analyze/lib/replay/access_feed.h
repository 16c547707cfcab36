/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives the loads and stores of a trace to the passes, each access at its place
 * among the events (docs/trace-format.md, 6.11): before the next event of its
 * own thread, and before the first event of another thread that counts the
 * access.  Accesses that no event counts come last.  Where the trace does not
 * define an order, threads take turns.
 *
 * Only merge.c uses this feed.  It holds one batch, and one block of the file
 * for each thread that has begun and not ended.
 */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/replay.h"

struct wm_access_feed;

/* @progress is that of merge.h.  *@f becomes NULL if the trace has no accesses,
 * or no pass wants them. */
enum wm_status wm_access_feed_open(struct wm_access_feed **f,
				   const struct wm_trace *t,
				   struct wm_replay *r, uint64_t *progress,
				   struct wm_err *err);
/* Gives all accesses before event number @event of thread t->threads[@index],
 * which is the next event to be replayed.  Stores in *@until the number of that
 * thread's next event before which the caller must call this function again. */
enum wm_status wm_access_feed_event(struct wm_access_feed *f, uint32_t index,
				    uint64_t event, uint64_t *until,
				    struct wm_err *err);
/* Notes that thread @index's events before number @event have been replayed,
 * the last of them at @time. */
void wm_access_feed_replayed(struct wm_access_feed *f, uint32_t index,
			     uint64_t event, uint64_t time);
/* Gives all remaining accesses, when no events are left. */
enum wm_status wm_access_feed_rest(struct wm_access_feed *f,
				   struct wm_err *err);
void wm_access_feed_close(struct wm_access_feed *f);

/* Gives @b to the passes, after the changes before it. */
enum wm_status wm_access_feed_give(struct wm_replay *r,
				   struct wm_access_batch *b,
				   struct wm_err *err);

/* sample_feed.c: likewise gives samples of pages (docs/trace-format.md, 6.13),
 * each at its place among the events, by time.  Memory grows with the pages of
 * one epoch. */
struct wm_sample_feed;

/* *@f becomes NULL if no pass wants accesses, or the trace has no samples. */
enum wm_status wm_sample_feed_open(struct wm_sample_feed **f,
				   const struct wm_trace *t,
				   struct wm_replay *r, struct wm_err *err);
/* Gives all samples before the next event, which is at @time.  Stores in
 * *@until the time of the next sample; no call is needed for earlier events. */
enum wm_status wm_sample_feed_event(struct wm_sample_feed *f, uint64_t time,
				    uint64_t *until, struct wm_err *err);
enum wm_status wm_sample_feed_rest(struct wm_sample_feed *f,
				   struct wm_err *err);
void wm_sample_feed_close(struct wm_sample_feed *f);
