/* SPDX-License-Identifier: Apache-2.0 */
/* The memory to ask a batch system for, counted as the batch system counts it
 * (need.h): the needs of the rank and of the node that need most, without the
 * tool; and the limit that ranks met, if they died there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/need/died_limit.h"
#include "analyze/answers/need/job_need.h"

extern const char *const wm_limit_name[]; /* by wm_limit, for programs */

struct wm_ask {
	size_t rank; /* index of the rank that needs most */
	struct wm_rank_need need; /* the need of that rank */
	uint64_t rank_bytes; /* its part of a node: shared memory is divided */
	/* its share of the shared memory, if all of it existed at once */
	uint64_t share;
	unsigned margin; /* in percent; 0 for a lower bound */
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
	/* the need is a lower bound: ranks, events or children are missing, a
	 * request failed, or a rank gave up */
	bool lower_bound;
	/* the largest child of any rank (index .child_rank); 0: none known */
	uint64_t child_bytes;
	size_t child_rank;
	bool child_missing; /* the child has no trace, and is no mere copy */
	/* processes without a trace: .untraced is the highest value of any
	 * rank, with the least known; .untraced_bytes is the most memory that
	 * such processes of rank .untraced_rank (an index) had together */
	enum wm_untraced untraced;
	uint64_t untraced_bytes;
	size_t untraced_rank;
	struct wm_died_limit death;
	/* the limit that a rank met when it died, or that a request met */
	enum wm_limit limit;
	uint64_t limit_bytes;
	/* a request of rank .refused_rank (an index) that met .limit, even if
	 * the request is smaller than .limit; 0: none */
	uint64_t refused;
	size_t refused_rank;
	uint64_t tried; /* the same for a rank that ended well without it */
	size_t tried_rank;
	/* how rank .gave_up_rank (an index), the first that gave up, did so */
	enum wm_giving_up gave_up;
	size_t gave_up_rank;
};

enum wm_status wm_ask_make(struct wm_ask *ask, const struct wm_analysis *a,
			   struct wm_err *err);

/* Returns whether at least half as much again was requested and never touched:
 * how much of such memory counts differs between kernels. */
bool wm_ask_has_untouched(const struct wm_ask *ask);

/* Writes a line of a job script that asks for the memory into @buf, for the
 * batch system of the run, or for one like the run's launcher.  With @full the
 * line asks for all requested memory.  Returns false if the system or the
 * amount is unknown. */
#define WM_ASK_TEXT 256
bool wm_ask_line(const struct wm_ask *ask, const struct wm_analysis *a,
		 bool full, char buf[WM_ASK_TEXT]);

#define WM_ASK_SITE 40 /* columns of a name */

/* Names of functions; "": none is known. */
struct wm_ask_sites {
	char grew[WM_ASK_SITE + 1]; /* by which the fastest rank grew */
	/* in a rank that died: the site whose failed request is part of the
	 * memory to ask for, and the site whose request met a limit */
	char failed[WM_ASK_SITE + 1], refused[WM_ASK_SITE + 1];
};

enum wm_status wm_ask_sites_find(struct wm_ask_sites *sites,
				 const struct wm_ask *ask,
				 const struct wm_analysis *a,
				 struct wm_err *err);
