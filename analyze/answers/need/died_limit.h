/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit of a batch job or of a memory cgroup at which ranks died, if they
 * did: it holds for the sum of all ranks of a node that have it by their own
 * traces, whatever other ranks have.
 *
 * A trace has no signals.  The memory of these ranks when the last of them died
 * is known from the kernel's last count and the blocks that were requested
 * since then: a limit that this does not reach was not met, and one that it
 * exceeded by far for most of the time was not in force.  Keeps nothing.
 */
#ifndef WM_ANALYZE_DIED_LIMIT_H
#define WM_ANALYZE_DIED_LIMIT_H

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
	uint64_t dead; /* ranks that have it, on its node; no limit: all */
	bool partly; /* another rank of the run has no such limit */
	/* index of the rank that grew fastest, of those that died at the limit
	 * or, where there is none, of all that died */
	size_t grew;
	bool growing; /* there is one */
};

enum wm_status wm_died_limit_find(struct wm_died_limit *l,
				  const struct wm_analysis *a,
				  const struct wm_job_need *n,
				  struct wm_err *err);

/* Whether @used comes within a fifth of @limit: code and buffers of the kernel
 * are in no trace. */
bool wm_limit_is_met(uint64_t used, uint64_t limit);
/* Whether @used is so much more that such a limit was not in force. */
bool wm_limit_is_exceeded(uint64_t used, uint64_t limit);

/* The bytes that a batch job with a limit for each CPU has for the CPUs of one
 * rank with @o; 0: none. */
uint64_t wm_ask_rank_limit(const struct wm_origin *o);

#endif
