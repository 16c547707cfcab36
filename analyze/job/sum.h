/* SPDX-License-Identifier: Apache-2.0 */
/* The sum over all ranks: their call paths in one table, with the share of each
 * rank.  The sum is made while ranks are read (retained.h), one rank at a time,
 * so that memory grows with the number of call paths, and hardly with the
 * number of ranks.  A struct wm_sum of zeros with paths from wm_paths_init() is
 * empty; it owns all that it points to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/shares.h"
#include "analyze/passes/lifetime.h"
#include "analyze/passes/annotations.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/paths.h"

struct wm_analysis;

struct wm_sum {
	struct wm_paths paths; /* until the analysis has them */
	struct wm_use *use;
	size_t use_cap;
	/* With pass lifetime, one for each path; else NULL.  Memory never freed
	 * (left, first, last) is in lifetime for ranks that have ended, and in
	 * held for other ranks; held is NULL if there are none. */
	struct wm_lifetime *lifetime, *held;
	size_t lifetime_count, lifetime_cap, held_count, held_cap;
	struct wm_annotations annotations;
	/* with pass lifetime: bytes never freed, bytes in ranks without an end,
	 * and allocations that reuse would save */
	struct wm_shares left, cut, churn;
	/* likewise struct wm_trend_marks of the blocks left in ranks in which
	 * no single call path grows */
	struct wm_shares marks;
	bool wants_notes; /* also without pass lifetime */
	uint64_t *rank; /* number of each place in the shares */
	size_t ranks, rank_cap;
};

void wm_sum_release(struct wm_sum *s);
enum wm_status wm_sum_add(struct wm_sum *s, const struct wm_rank *r,
			  struct wm_err *err);
/* Called after the last rank.  @number has the place of each path of @s in a
 * table of @count paths; NULL: unchanged. */
enum wm_status wm_sum_finish(struct wm_sum *s, const uint32_t *number,
			     size_t count, struct wm_err *err);

/* Returns the analysis for a list, which covers all ranks unless @one rank is
 * chosen.  The result is @a or @view, which then is a copy of @a with the sum
 * in place of the chosen rank, and must not be released. */
const struct wm_analysis *wm_sum_view(struct wm_analysis *view,
				      const struct wm_analysis *a, bool one);
