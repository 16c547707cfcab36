/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many ranks like those of a run fit a node, and what so many of them need:
 * the worst ranks are placed first, further ones count as the worst, memory that
 * they share counts once, and WM_ASK_MARGIN is added.  Plain data.
 */
#ifndef WM_ANALYZE_FIT_H
#define WM_ANALYZE_FIT_H

#include <stdint.h>

#include "analyze/queries/ask.h"

struct wm_fit {
	uint64_t node_memory; /* of the question; 0: not asked */
	uint64_t ranks; /* that fit it */
	uint64_t touched_ranks; /* where all that they requested is touched */
	/* a limit that the run was under and that fewer ranks meet */
	enum wm_limit limit;
	uint64_t limit_bytes, limit_ranks;

	uint64_t asked; /* ranks of the question; 0: not asked */
	uint64_t bytes, touched_bytes; /* that they need, with the margin */

	uint64_t worst; /* bytes of the worst rank's own */
	uint64_t shared; /* once */
};

enum wm_status wm_fit_find(struct wm_fit *fit, const struct wm_analysis *a,
			   uint64_t node_memory, uint64_t ranks,
			   struct wm_err *err);

#endif
