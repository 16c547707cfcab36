/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory to ask a batch system for, counted as the batch system counts it
 * (need.h): the amounts for the rank that needs most and for the node that
 * needs most, without the tool; and the limit that ranks met, if they died
 * there.  Keeps nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/need/died_limit.h"
#include "analyze/answers/need/job_need.h"

extern const char *const wm_limit_name[]; /* for programs */

struct wm_ask {
	size_t rank; /* index of the rank that needs most */
	struct wm_rank_need need; /* the need of that rank */
	uint64_t rank_bytes; /* its part of a node: shared memory is divided */
	/* its share of shared memory, if all was there at once */
	uint64_t share;
	uint64_t least_bytes; /* with a request that failed, and its limit */
	unsigned margin; /* in percent; 0 if the amount is not enough anyway */
	uint64_t mib; /* to ask for, with the margin */
	uint64_t alone_mib; /* for the process, with all that it shares */
	struct wm_node_need node; /* of the node whose ranks need most */
	uint64_t node_mib;
	uint64_t cpu_mib; /* the most of any rank, divided by its CPUs */
	/* the same amounts if all requested memory were touched */
	uint64_t full_mib, full_alone_mib, full_node_mib, full_cpu_mib;
	uint64_t node_sum_mib; /* with each rank at its own highest */
	uint64_t node_least_mib; /* if malloc keeps nothing */
	uint64_t most_ranks; /* the most ranks that a node has */
	uint64_t tool; /* memory that tracing adds, the most of any rank */
	/* ranks, events or children are missing, a request failed, or a rank
	 * gave up */
	bool lower_bound;
	/* the largest child of any rank, and the index of that rank; 0: no
	 * child is known */
	uint64_t child_bytes;
	size_t child_rank;
	bool child_missing; /* the child has no trace, and is no mere copy */
	/* processes without a trace: .untraced is the highest value of any
	 * rank, which leaves most unknown; .untraced_bytes is the most that all
	 * such processes of rank .untraced_rank, an index, had of their own */
	enum wm_untraced untraced;
	uint64_t untraced_bytes;
	size_t untraced_rank;
	struct wm_died_limit death;
	/* the limit that a rank met when it died, or that a request met */
	enum wm_limit limit;
	uint64_t limit_bytes;
	/* a request of rank .refused_rank, an index, that met .limit, though it
	 * need not exceed .limit by itself; 0: none */
	uint64_t refused;
	size_t refused_rank;
	uint64_t tried; /* likewise, in a rank that ended well without it */
	size_t tried_rank;
	/* how rank .gave_up_rank, the first that did, gave up */
	enum wm_giving_up gave_up;
	size_t gave_up_rank; /* an index */
};

enum wm_status wm_ask_make(struct wm_ask *ask, const struct wm_analysis *a,
			   struct wm_err *err);

/* Returns whether half as much again, or more, was requested and never touched:
 * kernels differ in how much of such memory they count. */
bool wm_ask_has_untouched(const struct wm_ask *ask);

/* Writes into @buf a line of a job script that asks the run's batch system for
 * the memory, or a batch system like the run's launcher.  With @full the line
 * asks for the case that all requested memory is touched.  Returns false if the
 * system or the amount is unknown. */
#define WM_ASK_TEXT 256
bool wm_ask_line(const struct wm_ask *ask, const struct wm_analysis *a,
		 bool full, char buf[WM_ASK_TEXT]);
