/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call tree of the holders of memory.
 *
 * A node is a function below its caller, whatever the lines of the calls.
 * Bottom-up, a node is a caller below its callee, and the sites are the roots.
 * If a function is on a path several times, the path goes on from the
 * function's first place: main, f, g, f, h becomes main, f, h.  So bytes are
 * never counted twice, and in either order the bytes of a node are its
 * self_bytes plus the bytes of its children.
 *
 * A path is cut at WM_TREE_LEVELS functions, and its memory counts for the last
 * function that is left: reports go down the tree by recursion, and their
 * output grows with the depth.
 *
 * The tree owns its nodes; names belong to the symbols.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/threads.h"

#define WM_TREE_LEVELS 500

struct wm_tree_node {
	const struct wm_symbol *symbol; /* NULL: the root of all */
	const char *file; /* NULL: unknown */
	uint32_t line; /* line of the call in .file; 0: unknown */
	uint64_t bytes, blocks; /* of the paths through it */
	/* of the paths that end in the node */
	uint64_t self_bytes, self_blocks;
	uint64_t most; /* bytes of the path from which .file was taken */
	uint32_t parent, module;
	/* the most times that the function is on one path */
	uint32_t recursion;
	uint32_t depth; /* 0: the root of all */
	size_t first, children; /* in wm_tree.order */
};

struct wm_tree {
	struct wm_tree_node *node; /* [0] is the root */
	size_t count, cap;
	uint32_t *order; /* children of a node in a row, most bytes first */
	uint32_t *leaf; /* by path: the node in which it ends; 0: no blocks */
	bool bottom_up;
};

/* Makes the tree of live memory at the peak from @use, which has one entry for
 * each path.  If @rows is not NULL, makes it from @rows, which must outlive the
 * tree: threads are the roots or, bottom-up, the leaves. */
enum wm_status wm_tree_make(struct wm_tree *t, const struct wm_analysis *a,
			    const struct wm_use *use,
			    const struct wm_thread_rows *rows, bool bottom_up,
			    struct wm_err *err);
void wm_tree_release(struct wm_tree *t);

static inline const struct wm_tree_node *
wm_tree_child(const struct wm_tree *t, const struct wm_tree_node *n, size_t i)
{
	return &t->node[t->order[n->first + i]];
}
