/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that a rank needs, without the tool, and the need of the ranks of
 * a node together, where shared memory counts once.
 *
 * Limits of cgroups and of batch systems count resident memory.  If resident
 * memory is not known, requested memory counts, with the memory of the
 * allocator, static memory and the stack as far as they are known.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"

enum wm_counted {
	WM_COUNTED_REQUESTED,
	WM_COUNTED_RESIDENT, /* by the kernel */
	WM_COUNTED_PAGES, /* by the record of WM_PAGES */
	WM_COUNTED_FAILED, /* most of it is a request that failed */
};
extern const char *const wm_counted_name[];

/* How a rank ended that was neither killed nor ended in order. */
enum wm_giving_up {
	WM_GIVING_UP_NOT,
	WM_GIVING_UP_LEFT, /* MPI was up, and MPI_Finalize was not called */
	WM_GIVING_UP_STATUS, /* of exit(), not 0 */
	WM_GIVING_UP_ABORT, /* MPI_Abort */
};
enum wm_giving_up wm_rank_giving_up(const struct wm_rank *r);

/* How much is known of the memory of processes without a trace that a rank
 * started. */
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

/* Bytes of one rank. */
struct wm_rank_need {
	enum wm_counted counted;
	uint64_t bytes; /* own and shared, each at its own highest */
	/* the most of .bytes at one time, as the kernel saw it */
	uint64_t at_once;
	uint64_t own; /* memory of this process only: upper bound, */
	uint64_t own_least; /* and lower bound; 0: not known */
	/* the part of .own that an untraced call may have freed */
	uint64_t unseen;
	uint64_t shared; /* memory that other processes may have, too */
	/* the rank's part of .shared: each page divided by the processes that
	 * have it; all of .shared if not known */
	uint64_t part;
	/* parts of .bytes; 0: none or unknown */
	uint64_t requested, allocator, statics, stack, thread_stacks;
	/* .thread_stacks includes all memory that no other part explains */
	bool stacks_estimated;
	/* a failed request that is no part of the need; 0: none */
	uint64_t tried;
	uint64_t failed; /* the failed request that is a part of the need */
	/* the most that children with traces needed at one time, and one
	 * process without a trace if it was larger than the rank and these
	 * children ever were */
	uint64_t child;
	/* the part of .child that is certainly no page of the rank */
	uint64_t child_least;
	/* .child is an upper bound, as children may share pages with their
	 * parent; .child_faults: it comes from the number of page faults */
	bool child_at_most, child_faults;
	/* the most of other children without a trace, which do not count */
	enum wm_untraced untraced;
	uint64_t untraced_bytes;
	uint64_t other; /* the rest of .bytes: code, libraries ... */
	/* lower bound of the bytes among the parts that were never touched */
	uint64_t untouched;
	/* upper bound of further bytes if all requested memory is touched;
	 * .more_shared: those in shared mappings and windows, counted once */
	uint64_t more, more_shared;
	/* .bytes is a lower bound: allocator or static memory is unknown, or
	 * the rank's end does not show all of its need */
	bool at_least;
};

void wm_rank_need_find(struct wm_rank_need *n, const struct wm_analysis *a,
		       size_t index);
/* Returns the resident memory of the tool or, if it is not known, all of it. */
uint64_t wm_tool_of(const struct wm_rank *r);

/* Ranks of one node; all zero if there are none. */
struct wm_node_need {
	uint64_t ranks;
	uint64_t own; /* the sum, each rank at its own highest */
	uint64_t whole; /* upper bound, even if nothing is shared */
	uint64_t at_once; /* the most own memory at one time (job_need.h) */
	uint64_t least_at_once; /* the same if malloc keeps nothing */
	/* upper bound of shared memory, counted once, and at least .most: the
	 * part of a rank is too large if its pages were looked at before other
	 * ranks had them or after the other ranks had ended */
	uint64_t shared;
	uint64_t more, more_shared; /* sums over the ranks */
	/* sum of .part, and the largest .shared of a rank */
	uint64_t parts, most;
	bool at_least; /* of some rank */
	/* .at_once is only an upper bound: looks at some rank do not show which
	 * memory was shared at other times (job_need.c) */
	bool doubtful;
	size_t first; /* index of the first rank (job_need.h) */
	bool groups_apart; /* ranks are in different cgroups */
};

void wm_node_need_add(struct wm_node_need *node, const struct wm_rank_need *n);

static inline uint64_t wm_node_need_bytes(const struct wm_node_need *n)
{
	uint64_t bytes = n->at_once + n->shared;

	return bytes < n->whole ? bytes : n->whole;
}

#define WM_ASK_MARGIN 10 /* percent that all answers add */

static inline uint64_t wm_with_margin(uint64_t bytes)
{
	return bytes + bytes / 100 * WM_ASK_MARGIN;
}
