/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a process came about, as START of its trace tells: its command line, who
 * started it, and what recorded it.
 *
 * Owns its texts, which are plain; NULL is what is not told.  Ranks that have
 * the same keep it once: wm_origin_share().
 */
#ifndef WM_ANALYZE_ORIGIN_H
#define WM_ANALYZE_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/trace/head.h"

struct wm_origin {
	char *command; /* as a shell takes it */
	char *launcher, *batch, *batch_job, *tool_version;
	uint64_t cpus; /* that the batch system gives a rank; 0: not told */
	bool command_cut; /* the command line goes on */
	bool shared; /* all is in the one that it was shared with */
};

/* WM_NO_MEMORY: @o is to be released nevertheless. */
enum wm_status wm_origin_take(struct wm_origin *o, const struct wm_head *start,
			      struct wm_err *err);
/* Empty @o where it says the same as @with. */
void wm_origin_share(struct wm_origin *o, const struct wm_origin *with);
void wm_origin_release(struct wm_origin *o);

#endif
