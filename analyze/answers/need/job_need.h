/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the memory that all ranks and nodes of a run need. */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/answers/need/need.h"

/* The caller releases it. */
struct wm_job_need {
	struct wm_rank_need *rank; /* by index of the rank */
	struct wm_node_need *node; /* by wm_job_need_node() */
	size_t nodes;
};

enum wm_status wm_job_need_find(struct wm_job_need *n,
				const struct wm_analysis *a,
				struct wm_err *err);
void wm_job_need_release(struct wm_job_need *n);
/* Returns an upper bound of the own memory of rank @r at @ns of the job's
 * clock.  With @kept the bound includes freed memory that malloc may have
 * kept. */
uint64_t wm_job_need_at(const struct wm_rank_need *n, const struct wm_rank *r,
			uint64_t ns, bool kept);
size_t wm_job_need_node(const struct wm_analysis *a, size_t index);
