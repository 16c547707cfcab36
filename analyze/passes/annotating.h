/* SPDX-License-Identifier: Apache-2.0 */
/* Collects phases, names, regions, marks and snapshots while a trace is read.
 * The pass heap starts this at the first mark, so traces without marks cost
 * nothing.  The epoch method of that pass finds the bytes of names at the peak.
 * If a block gets its name after the peak, and its call path has not changed
 * since the peak, the block was alive at the peak and counts there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/pass.h"

struct wm_annotating;

struct wm_annotating_now {
	uint64_t live, peak, peak_time, epoch;
	uint64_t changes, blocks; /* changes so far, blocks alive */
};

struct wm_annotating *wm_annotating_new(const struct wm_trace *t);
void wm_annotating_free(struct wm_annotating *n);

void wm_annotating_run(struct wm_annotating *n, const struct wm_changes *c,
		       size_t from, size_t to);
/* Takes any mark but a snapshot.  @old_peak: its block was alive at the last
 * peak. */
enum wm_status wm_annotating_mark(struct wm_annotating *n,
				  const struct wm_mark *m,
				  const struct wm_annotating_now *now,
				  bool old_peak, struct wm_err *err);
/* Called when the rank has a new peak, which belongs to the present phase. */
void wm_annotating_peak(struct wm_annotating *n);

/* If *@kept is true afterwards, the caller calls wm_annotating_path() for each
 * path with blocks.  Otherwise there were too many snapshots before. */
enum wm_status wm_annotating_snapshot(struct wm_annotating *n,
				      const struct wm_mark *m, uint64_t live,
				      bool *kept, struct wm_err *err);
enum wm_status wm_annotating_path(struct wm_annotating *n, uint32_t path,
				  uint64_t bytes, uint64_t blocks,
				  struct wm_err *err);

/* Moves the result to @rank. */
enum wm_status wm_annotating_finish(struct wm_annotating *n, uint64_t epoch,
				    struct wm_rank *rank, struct wm_err *err);
