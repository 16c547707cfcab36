/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the limit of a batch job or of a memory cgroup at which ranks died.  A
 * limit holds for the sum of the ranks of a node whose traces have that limit;
 * other ranks do not count.
 *
 * A trace has no signals, so the limit is found from the memory of these ranks
 * when the last of them died: the kernel's last count plus the blocks requested
 * since then.  A limit that this memory does not reach was not met; a limit
 * that it exceeded by far for most of the time was not in force.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/need/job_need.h"

enum wm_limit {
	WM_LIMIT_NONE,
	WM_LIMIT_JOB, /* of the batch job, on a node */
	WM_LIMIT_GROUP, /* of a memory cgroup */
	WM_LIMIT_ADDRESS_SPACE, /* of a process, RLIMIT_AS */
	WM_LIMIT_DATA, /* of a process, RLIMIT_DATA */
	WM_LIMIT_RANK, /* of the batch job, for each rank that a node has */
};

struct wm_died_limit {
	bool died; /* a rank was killed, or may have been */
	/* JOB, GROUP or, if no limit is known to be met, NONE */
	enum wm_limit limit;
	uint64_t bytes;
	size_t first; /* index of the first dead rank with the limit */
	/* dead ranks of its node with the limit; for NONE, all dead ranks */
	uint64_t dead;
	bool partly; /* another rank of the run has no such limit */
	/* index of the rank that grew fastest among those that died at the
	 * limit or, if no rank did, among all that died */
	size_t grew;
	bool growing; /* .grew is a rank */
};

enum wm_status wm_died_limit_find(struct wm_died_limit *l,
				  const struct wm_analysis *a,
				  const struct wm_job_need *n,
				  struct wm_err *err);

/* Returns whether @used comes within a fifth of @limit: code and buffers of the
 * kernel, which are in no trace, may account for the rest. */
bool wm_limit_is_met(uint64_t used, uint64_t limit);
/* Returns whether @used exceeds @limit by too much for a limit in force. */
bool wm_limit_is_exceeded(uint64_t used, uint64_t limit);

/* Returns the bytes for the CPUs of one rank with @o if the batch job has a
 * limit for each CPU, else 0. */
uint64_t wm_ask_rank_limit(const struct wm_origin *o);
