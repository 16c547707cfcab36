/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two runs, or two ranks of one run, side by side.
 *
 * "RUN" is the rank that --rank chooses, by default the rank with the highest
 * peak.  "RUN:N", "RUN:max", "RUN:min" and "RUN:all" choose a rank for their
 * own side; "RUN@MOMENT" and "RUN:N@MOMENT" choose a moment other than the peak
 * (wm_request_moment()).  If a file or directory has the whole text as its
 * name, the text is only a name.
 */
#pragma once

#include <stdbool.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/heap/profile.h"
#include "analyze/symbols/namesakes.h"

struct wm_half {
	char *run; /* as given, without ":N" and "@MOMENT" */
	char *shown; /* the same, safe to show */
	struct wm_analysis a;
	struct wm_namesakes namesakes; /* of both, in the first half */
	struct wm_profile profile; /* of the chosen rank, or of all ranks */
	/* of the same moment; sums if the side is all ranks */
	uint64_t peak_bytes, unfreed_bytes, unfreed_blocks, events;
	/* of ranks whose traces ended before the ranks did; not part of
	 * unfreed */
	uint64_t held_bytes, held_blocks;
	double peak_seconds; /* of one rank only */
	/* at the moment of the lists */
	uint64_t bytes_then;
	double seconds_then; /* of one rank only */
	/* the highest of one process; 0: unknown */
	uint64_t resident, footprint;
	const struct wm_census *census; /* of one process; NULL: unknown */
};

/* Reads the first two runs of @q as two halves.  @fold: callers are charged
 * with the memory of forwarders.  The caller releases both halves, even after
 * an error. */
enum wm_status wm_pair_read(struct wm_half *pair, const struct wm_request *q,
			    bool fold, struct wm_err *err);
void wm_pair_release(struct wm_half *pair);
