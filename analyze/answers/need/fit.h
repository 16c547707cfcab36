/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds how many ranks like those of a run fit a node, and how much memory a
 * given number of such ranks needs, with the margin of need.h.  Shared memory
 * counts once.
 *
 * Ranks that the run did not have are an assumption, so both answers have two
 * bounds.  For one, the worst ranks of the run come first and all further ranks
 * are like the worst; for the other, each rank is like the mean.
 */
#pragma once

#include <stdint.h>

#include "analyze/answers/need/ask.h"

/* More bytes than any node has; a sum of this or more is unknown. */
#define WM_FIT_MANY (UINT64_MAX / 4)

struct wm_node_fit {
	uint64_t node_memory; /* of the question; 0: not asked */
	/* ranks that fit if like the worst; if like the mean */
	uint64_t ranks, most_ranks;
	uint64_t touched_ranks; /* like .ranks, if all requests are touched */
	/* a limit of the run's nodes that allows fewer ranks than the node */
	enum wm_limit limit;
	uint64_t limit_bytes; /* WM_LIMIT_RANK: of each rank */
	uint64_t limit_ranks;

	uint64_t asked; /* ranks of the question; 0: not asked */
	/* bytes that these need if like the mean; if like the worst */
	uint64_t low_bytes, bytes;
	uint64_t touched_bytes; /* like .bytes, if all requests are touched */

	uint64_t worst, mean; /* a rank's own bytes */
	uint64_t shared;
	bool at_least; /* ranks may need more */
};

enum wm_status wm_fit_find(struct wm_node_fit *fit, const struct wm_analysis *a,
			   uint64_t node_memory, uint64_t ranks,
			   struct wm_err *err);
