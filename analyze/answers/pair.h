/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two runs, or two ranks of one run, side by side.
 *
 * "RUN" is the rank that --rank chooses, by default the one with the highest
 * peak; "RUN:N", "RUN:max", "RUN:min" and "RUN:all" choose for themselves.
 */
#ifndef WM_ANALYZE_PAIR_H
#define WM_ANALYZE_PAIR_H

#include <stdio.h>

#include "analyze/answers/profile.h"
#include "analyze/job/analysis.h"
#include "analyze/opts.h"

struct wm_half {
	char *run; /* as given, without ":N" */
	char *shown; /* the same, safe to show */
	struct wm_analysis a;
	struct wm_profile profile; /* of the chosen rank, or of all */
	/* of the same; of all ranks: sums */
	uint64_t peak_bytes, unfreed_bytes, unfreed_blocks, events;
	/* of ranks whose traces ended before they did; not in unfreed */
	uint64_t held_bytes, held_blocks;
	double peak_seconds; /* of one rank only */
	/* of one process, the highest; 0: not told */
	uint64_t resident, footprint;
	const struct wm_census *census; /* of one process; NULL: unknown */
};

/* WM_USAGE unless there are two. */
enum wm_status wm_pair_check(const struct wm_opts *o, struct wm_err *err);
/* @pair[2]; release it whatever comes back. */
enum wm_status wm_pair_read(struct wm_half *pair, const struct wm_opts *o,
			    struct wm_err *err);
void wm_pair_release(struct wm_half *pair);
/* The notes of both on stderr, as wm_print_notes() does. */
void wm_pair_notes(const struct wm_half *pair, const struct wm_opts *o);

/*
 * "RUN:N" -> a copy of "RUN", and the choice of rank in @o.  @arg is a run as
 * it stands when a file or directory of that name exists.  NULL: no memory.
 */
char *wm_pair_argument(const char *arg, struct wm_opts *o);

#endif
