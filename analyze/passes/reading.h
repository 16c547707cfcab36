/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace into a struct wm_rank through the passes that were asked for.
 * One thread makes all calls for a trace; different threads may read different
 * traces. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/reader.h"

/* Reads the trace @path and runs the passes that @wish needs.  A damaged trace
 * is read up to the damage.  @rank is the number in the file's name, or
 * WM_RANK_UNKNOWN; @name is the file's name in messages. */
enum wm_status wm_rank_read(struct wm_rank *r, const char *path,
			    const char *name, uint64_t rank,
			    const struct wm_wish *wish, uint64_t *progress,
			    struct wm_err *err);

/* Read in steps, for ranks that are read side by side: open, next until it
 * returns WM_END, finish, close.  The caller has called wm_rank_init().  Blocks
 * of the trace from number @limit on are ignored. */
struct wm_reading;
enum wm_status wm_reading_open(struct wm_reading **rd, struct wm_rank *r,
			       const char *path, const struct wm_wish *wish,
			       uint64_t *progress, uint64_t limit,
			       struct wm_err *err);
enum wm_status wm_reading_next(struct wm_reading *rd, struct wm_err *err);
/* Returns the state of pass @id, which must be running. */
void *wm_reading_pass(struct wm_reading *rd, enum wm_pass_id id);
const struct wm_trace *wm_reading_trace(const struct wm_reading *rd);
/* Returns whether reading failed at a damaged block.  The caller then puts the
 * error into @r->damage, closes, and opens again with *@limit. */
bool wm_reading_retry(const struct wm_reading *rd, uint64_t *limit);
enum wm_status wm_reading_finish(struct wm_reading *rd, uint64_t rank,
				 struct wm_err *err);
void wm_reading_close(struct wm_reading *rd);
