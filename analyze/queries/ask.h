/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to ask a batch system for: the memory that counts there, of the rank
 * that needs most and of the node that does, without the tool.
 *
 * What counts is what is resident, as limits of cgroups and of batch systems
 * count it; where that is not known, what was requested, with what is known of
 * allocator, static memory and stack.  Keeps nothing.
 */
#ifndef WM_ANALYZE_ASK_H
#define WM_ANALYZE_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"

#define WM_ASK_MARGIN 10 /* percent that is added, then whole MiB */

/* What one rank needs, in bytes. */
struct wm_rank_need {
	uint64_t bytes;
	bool resident; /* bytes is what was resident; else what was requested */
	/* the parts; 0: none, or not known */
	uint64_t requested, allocator, statics, stack;
	uint64_t other; /* of bytes, none of these: code, libraries ... */
	uint64_t untouched; /* of these, was never resident */
};

struct wm_ask {
	size_t rank; /* index of the one that needs most */
	struct wm_rank_need need; /* its own */
	uint64_t mib; /* to ask for a rank, margin and all */
	uint64_t node_mib; /* for the node whose ranks need most */
	uint64_t node_ranks, most_ranks; /* how many it has; the most */
	uint64_t tool; /* what tracing adds, of any rank at most */
	bool lower_bound; /* ranks or events are missing */
};

enum wm_status wm_ask_make(struct wm_ask *ask, const struct wm_analysis *a,
			   struct wm_err *err);

/* How the run's batch system, or one like its launcher, is asked; in @buf.
 * false: it is none that we know. */
#define WM_ASK_TEXT 256
bool wm_ask_option(const struct wm_ask *ask, const struct wm_analysis *a,
		   char buf[WM_ASK_TEXT]);

#endif
