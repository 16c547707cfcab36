/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that a rank started and that have no trace: whether these processes
 * may have had memory that the need does not count.  Keeps nothing.
 *
 * If such a process has a page that its parent does not have, the page came by
 * a page fault, and the kernel adds up the faults of all processes that were
 * waited for.  So these faults bound the memory of all such processes, whether
 * they ran at one time or not.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/passes/rank.h"

enum wm_untraced {
	WM_UNTRACED_NOT, /* none, or too little to matter */
	/* a bound is known, but not how many ran at one time */
	WM_UNTRACED_MANY,
	/* how many pages of the rank they copied is not known */
	WM_UNTRACED_COPIES,
	WM_UNTRACED_LEFT, /* some were not waited for: nothing is known */
};

/* Returns whether the largest process that the rank started and waited for has
 * no trace, and is more than a mere copy of the rank. */
bool wm_rank_misses_child(const struct wm_rank *r);

/* Finds processes without a trace beside a rank that needs @own bytes.  Stores
 * in *@bytes the most that all of them had of their own together, or 0 if there
 * are none or the bytes are not known. */
enum wm_untraced wm_untraced_find(const struct wm_rank *r, uint64_t own,
				  uint64_t *bytes);

/*
 * Returns how many bytes of pages the rank may have copied, at most.  If the
 * rank writes to a page while a child has it, the page becomes two, and the
 * copy comes by a page fault.  Each page that the rank had before came by a
 * fault, too; so all faults beyond the pages of the rank's highest resident
 * memory may have been for copies.
 */
uint64_t wm_rank_copies(const struct wm_rank *r);
