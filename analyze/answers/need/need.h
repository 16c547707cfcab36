/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that a rank needs, without the tool, and the need of the ranks of
 * a node together, where memory that they share counts once.
 *
 * Limits of cgroups and of batch systems count resident memory.  If resident
 * memory is not known, requested memory counts instead, with the memory of the
 * allocator, static memory and the stack as far as they are known.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/need/untraced.h"

enum wm_counted {
	WM_COUNTED_REQUESTED,
	WM_COUNTED_RESIDENT, /* by the kernel */
	WM_COUNTED_PAGES, /* by the record of WM_PAGES */
	WM_COUNTED_FAILED, /* a request that was not met is the most of it */
};
extern const char *const wm_counted_name[];

/* How a rank ended that was not killed, but did not end in order either. */
enum wm_giving_up {
	WM_GIVING_UP_NOT,
	WM_GIVING_UP_LEFT, /* MPI was up, and there was no MPI_Finalize */
	WM_GIVING_UP_STATUS, /* of exit(), not 0 */
	WM_GIVING_UP_ABORT, /* MPI_Abort */
};
enum wm_giving_up wm_rank_giving_up(const struct wm_rank *r);

/* One rank, in bytes. */
struct wm_rank_need {
	enum wm_counted counted;
	uint64_t bytes; /* own and shared, each at its own highest */
	/* the most of .bytes at one time, as the kernel saw it */
	uint64_t at_once;
	uint64_t own; /* no other process has it: at most, and at least; */
	uint64_t own_least; /* 0: not known */
	/* the part of .own that may have been given back by a call that the
	 * trace lacks */
	uint64_t unseen;
	uint64_t shared; /* others may have it, too */
	uint64_t
		part; /* of it: each page by who has it; or all, if not known */
	/* the parts; 0: none, or not known */
	uint64_t requested, allocator, statics, stack, thread_stacks;
	/* .thread_stacks is more than the runtime's looks saw: it has all
	 * memory that is no other part, up to the size of the stacks */
	bool stacks_estimated;
	uint64_t tried; /* a request that failed and is no part; 0: none */
	uint64_t failed; /* the request that was not met */
	/* the most that children with traces needed at one time, and one
	 * process without a trace if it was larger than the rank and these
	 * children ever were */
	uint64_t child;
	/* the part of .child that is known to be no page of the rank */
	uint64_t child_least;
	/* .child is only an upper bound, as some pages of children may be
	 * shared with their parent; .child_faults: the bound comes from the
	 * number of page faults */
	bool child_at_most, child_faults;
	/* the most that other children without a trace had; no part of the
	 * need */
	enum wm_untraced untraced;
	uint64_t untraced_bytes;
	uint64_t other; /* the rest of .bytes: code, libraries ... */
	/* the part of these that was never touched, at least */
	uint64_t untouched;
	/* more bytes, at most, if all requested memory were touched;
	 * .more_shared: the part of .more in shared mappings and windows, which
	 * counts once */
	uint64_t more, more_shared;
	/* nothing is known of allocator or static memory, or the rank did not
	 * come to an end that shows all of its need */
	bool at_least;
};

void wm_rank_need_find(struct wm_rank_need *n, const struct wm_analysis *a,
		       size_t index);
/* Returns the tool's part as far as it is known: resident memory, else all of
 * it. */
uint64_t wm_tool_of(const struct wm_rank *r);

/* Ranks of one node; a struct of zeros has no ranks. */
struct wm_node_need {
	uint64_t ranks;
	uint64_t own; /* the sum, each rank at its own highest */
	uint64_t whole; /* an upper bound, even if nothing is shared */
	uint64_t at_once; /* the most own memory at one time (job_need.h) */
	uint64_t least_at_once; /* the same if malloc keeps nothing */
	/* shared memory counted once, at most: if the pages of a rank were
	 * looked at before other ranks had them, or after the other ranks had
	 * ended, its part is larger than it was beside these ranks; not less
	 * than .most */
	uint64_t shared;
	uint64_t more, more_shared; /* sums over the ranks */
	/* sum of .part, and the largest .shared of a rank */
	uint64_t parts, most;
	bool at_least; /* of some rank */
	/* .at_once is only a bound: looks at some rank do not show which memory
	 * was shared at other times (job_need.c) */
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
