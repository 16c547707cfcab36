/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that a rank started and of which there is no trace: whether they may
 * have had memory that the need does not count.  Keeps nothing.
 *
 * Each page that such a process has and its parent has not came by a page fault,
 * and the kernel adds up the faults of all that were waited for.  So these bound
 * what all of them had, at one time or not.
 */
#ifndef WM_ANALYZE_UNTRACED_H
#define WM_ANALYZE_UNTRACED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/passes/rank.h"

enum wm_untraced {
	WM_UNTRACED_NOT, /* none, or too little to matter */
	WM_UNTRACED_MANY, /* a bound is known, not how many ran at a time */
	WM_UNTRACED_COPIES, /* what of the rank's pages they copied is not */
	WM_UNTRACED_LEFT, /* some were not waited for: nothing is known */
};

/* The largest process that the rank started and waited for has no trace, and is
 * no mere copy. */
bool wm_rank_misses_child(const struct wm_rank *r);

/* Beside a rank that needs @own bytes.  @bytes: of their own together, at most;
 * 0: none, or not known. */
enum wm_untraced wm_untraced_find(const struct wm_rank *r, uint64_t own,
				  uint64_t *bytes);

/*
 * A page that the rank writes to while a child has it becomes two: the copy has
 * come by a page fault, as each page had that the rank had before.  So all
 * faults but those for what it had at its highest may have been for copies.
 */
uint64_t wm_rank_copies(const struct wm_rank *r);

#endif
