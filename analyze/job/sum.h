/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sum over all ranks: their call paths in one table, and who of them has
 * how much of each.
 *
 * Made while ranks come by (retained.h), one at a time, so that memory grows
 * with the number of call paths, and hardly with that of ranks.  A struct
 * wm_sum of zeros with paths from wm_paths_init() is empty; it owns what it
 * points to.
 */
#ifndef WM_ANALYZE_SUM_H
#define WM_ANALYZE_SUM_H

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
	struct wm_paths paths; /* until they are put over one table */
	struct wm_use *use;
	size_t use_cap;
	/*
	 * With pass lifetime, else NULL; one for each path.  Memory never freed
	 * (left, first, last) is in lifetime for ranks that have ended, and in
	 * held for the others, which is NULL when there are none.
	 */
	struct wm_lifetime *lifetime, *held;
	size_t lifetime_count, lifetime_cap, held_count, held_cap;
	struct wm_annotations annotations;
	/* with pass lifetime: bytes that were never freed, that ranks without an
	 * end held, and allocations that reuse would save */
	struct wm_shares left, cut, churn;
	/* and the struct wm_trend_marks of what is left, of ranks in which the
	 * call path alone does not grow */
	struct wm_shares marks;
	bool wants_notes; /* also without pass lifetime */
	uint64_t *rank; /* the number of each place in these */
	size_t ranks, rank_cap;
};

void wm_sum_release(struct wm_sum *s);
enum wm_status wm_sum_add(struct wm_sum *s, const struct wm_rank *r,
			  struct wm_err *err);
/*
 * When all are in: @number says where in a table of @count paths each one of
 * @s is, NULL: where it was.
 */
enum wm_status wm_sum_finish(struct wm_sum *s, const uint32_t *number,
			     size_t count, struct wm_err *err);

/*
 * The analysis for a list, which has all ranks unless @one is chosen: @a, or
 * @view, which is @a with the sum in place of the chosen rank.  Nothing of
 * @view is to be released.
 */
const struct wm_analysis *wm_sum_view(struct wm_analysis *view,
				      const struct wm_analysis *a, bool one);

#endif
