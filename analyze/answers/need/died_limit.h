/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit of a batch job or of a memory cgroup at which ranks died, if there
 * was one.  A limit holds for the sum of the ranks of a node whose own traces
 * have that limit; other ranks do not count.
 *
 * A trace has no signals.  The memory of these ranks at the death of the last
 * of them is known from the kernel's last count and the blocks that were
 * requested since then.  If this memory does not reach a limit, the limit was
 * not met; if it exceeded a limit by far for most of the time, the limit was
 * not in force.  Keeps nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/need/job_need.h"

/* The owner of a limit. */
enum wm_limit {
	WM_LIMIT_NONE,
	WM_LIMIT_JOB, /* of the batch job, on a node */
	WM_LIMIT_GROUP, /* of a memory cgroup */
	WM_LIMIT_ADDRESS_SPACE, /* of a process, RLIMIT_AS */
	WM_LIMIT_DATA, /* likewise, RLIMIT_DATA */
	WM_LIMIT_RANK, /* of the batch job, for each rank that a node has */
};

struct wm_died_limit {
	bool died; /* a rank was killed, or may have been */
	enum wm_limit limit; /* JOB or GROUP; NONE: none is known to be met */
	uint64_t bytes;
	size_t first; /* index of the first dead rank that has it */
	/* dead ranks of its node with the limit; no limit: all dead */
	uint64_t dead;
	bool partly; /* another rank of the run has no such limit */
	/* index of the rank that grew fastest among the ranks that died at the
	 * limit or, if none did, among all that died */
	size_t grew;
	bool growing; /* .grew is a rank */
};

enum wm_status wm_died_limit_find(struct wm_died_limit *l,
				  const struct wm_analysis *a,
				  const struct wm_job_need *n,
				  struct wm_err *err);

/* Returns whether @used comes within a fifth of @limit; the rest may be code
 * and buffers of the kernel, which are in no trace. */
bool wm_limit_is_met(uint64_t used, uint64_t limit);
/* Returns whether @used is so much more than the limit that it was not in
 * force. */
bool wm_limit_is_exceeded(uint64_t used, uint64_t limit);

/* Returns the memory in bytes that the CPUs of one rank with @o have, if the
 * batch job has a limit for each CPU; else 0. */
uint64_t wm_ask_rank_limit(const struct wm_origin *o);
