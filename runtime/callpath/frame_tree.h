/* SPDX-License-Identifier: Apache-2.0 */
/* A prefix tree of the dictionary's call paths: paths with the same outer
 * frames share their nodes.  The caller holds the dictionary's lock.  Any
 * thread may read the nodes of a stored path, which do not change until the
 * tree is reset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/modules.h"

/* Below this limit, the dictionary grows in smaller pieces. */
#define WM_FRAME_TREE_SMALL ((size_t)4 << 20)
/* The number of frames that fit into a column DICT (WM_BLOCK_DICT). */
#define WM_FRAME_TREE_BLOCK ((size_t)16 << 10)

struct wm_frame_node {
	uint64_t ip;
	uint32_t parent; /* node of the caller's frame; 0: outermost */
	uint32_t next; /* for frame_tree.c only */
};

size_t wm_frame_tree_deepest(void) wm_hidden;
const struct wm_frame_node *wm_frame_node(uint32_t node) wm_hidden;
/* Copies the @count innermost frames of the path that ends in @node to @ip,
 * outermost first, 8 bytes each; @ip need not be aligned.  Returns the parent
 * of the outermost copied frame. */
uint32_t wm_frame_tree_frames(uint32_t node, size_t count, void *ip) wm_hidden;

/* Returns the number of outer frames that a path shares with the path that was
 * followed last.  @frames begins with the outermost frame. */
size_t wm_frame_tree_shared(const uint64_t *frames, size_t depth) wm_hidden;
/* Adds nodes for the new frames of a path whose outer @from frames are those of
 * the last path, and stores the node of its innermost frame in *@node.  Returns
 * false, and adds nothing, if there is no memory. */
bool wm_frame_tree_follow(const uint64_t *frames, size_t depth, size_t from,
			  uint32_t *node) wm_hidden;
/* Hides the nodes in @ranges from new paths: a reader takes these nodes for
 * frames of libraries that were closed. */
void wm_frame_tree_hide(const struct wm_code_range *ranges,
			size_t count) wm_hidden;
void wm_frame_tree_reset(void) wm_hidden;
void wm_frame_tree_forget(void) wm_hidden;

/* Maps memory, or returns NULL.  The @first mapping of a kind may exceed the
 * dictionary's limit.  wm_frame_tree_piece() returns the bytes by which the
 * dictionary grows. */
void *wm_frame_tree_map(size_t bytes, bool first) wm_hidden;
size_t wm_frame_tree_piece(void) wm_hidden;

static inline bool wm_frame_tree_is_in(uint64_t ip,
				       const struct wm_code_range *ranges,
				       size_t count)
{
	for (size_t k = 0; k < count; k++)
		if (ip - 1 >= ranges[k].lo && ip - 1 < ranges[k].hi)
			return true;
	return false;
}
