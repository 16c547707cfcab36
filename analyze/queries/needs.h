/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that all ranks and nodes of a run need: each answer to "how much to
 * ask for" and "does it fit" is made of these.
 */
#ifndef WM_ANALYZE_NEEDS_H
#define WM_ANALYZE_NEEDS_H

#include "analyze/base/error.h"
#include "analyze/queries/need.h"

/* The owner's to release. */
struct wm_needs {
	struct wm_rank_need *rank; /* as in the analysis */
	struct wm_node_need *node; /* by wm_needs_node() */
	size_t nodes;
};

enum wm_status wm_needs_find(struct wm_needs *n, const struct wm_analysis *a,
			     struct wm_err *err);
void wm_needs_release(struct wm_needs *n);
/* The node of the rank with this index. */
size_t wm_needs_node(const struct wm_analysis *a, size_t index);

#endif
