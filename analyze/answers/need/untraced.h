/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that a rank started and that have no trace: whether they may have
 * had memory that the need does not count.
 *
 * A page that such a process does not share with its parent came by a page
 * fault, and the kernel adds up the faults of all processes that were waited
 * for.  So these faults bound the memory of all such processes together.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/passes/rank.h"

enum wm_untraced {
	WM_UNTRACED_NOT, /* none, or too little to matter */
	/* a bound is known, but not how many ran at one time */
	WM_UNTRACED_MANY,
	/* they copied an unknown number of the rank's pages */
	WM_UNTRACED_COPIES,
	WM_UNTRACED_LEFT, /* some were not waited for, so nothing is known */
};

/* Returns whether the largest process that the rank started and waited for has
 * no trace and is more than a copy of the rank. */
bool wm_rank_misses_child(const struct wm_rank *r);

/* Finds processes without a trace beside a rank that needs @own bytes.
 * Stores the most memory that they had together in *@bytes, or 0 if it is
 * not known. */
enum wm_untraced wm_untraced_find(const struct wm_rank *r, uint64_t own,
				  uint64_t *bytes);

/* Returns an upper bound of the bytes of pages that the rank copied.  If the
 * rank writes to a page that a child has, too, a page fault copies the page.
 * Each earlier page of the rank came by a fault, too, so the faults beyond the
 * pages of the highest resident memory may have been for copies. */
uint64_t wm_rank_copies(const struct wm_rank *r);
