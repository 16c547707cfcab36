/* SPDX-License-Identifier: Apache-2.0 */
/* Gives samples of pages (docs/trace-format.md, 6.13) to the passes that take
 * loads and stores, each at its place among the events, by time.  Only merge.c
 * uses this feed.  Memory grows with the pages of one epoch. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/replay.h"

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
