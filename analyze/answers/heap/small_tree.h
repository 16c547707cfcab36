/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call tree of the stored moments, in a bounded number of nodes: functions
 * that never hold much become one "small" node of their caller.
 *
 * The self bytes of a node are those of the paths that end in it.  They are
 * stored for each moment as changes from the moment before.  The self bytes of
 * all nodes add up to the bytes of the moment.
 *
 * A struct wm_small_tree owns its arrays; symbols and files belong to the
 * analysis.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/time/stored_moments.h"

#define WM_SMALL_TREE_NODES 5000
#define WM_SMALL_TREE_CHANGES 60000

struct wm_small_node {
	const struct wm_symbol *symbol; /* NULL: the root, or a small node */
	const char *file;
	uint32_t line; /* 0: unknown */
	uint32_t module; /* the module that the function lies in */
	uint32_t parent; /* the parent comes before its children */
	uint64_t merged; /* nodes that a small node stands for; else 0 */
};

struct wm_small_change {
	uint64_t bytes; /* bytes from this moment on */
	uint32_t node;
};

struct wm_small_tree {
	struct wm_small_node *node; /* [0] is the root */
	size_t count;
	struct wm_small_change *change; /* by moment, then by node */
	size_t changes, cap;
	size_t *end; /* of each moment, in change */
	uint64_t merged; /* nodes that are in small ones */
	struct wm_stored_moments moments;
};

/* Makes the tree of about @most moments, or of fewer if changes are many. */
enum wm_status wm_small_tree_make(struct wm_small_tree *t,
				  const struct wm_analysis *a, size_t most,
				  struct wm_err *err);
void wm_small_tree_release(struct wm_small_tree *t);
