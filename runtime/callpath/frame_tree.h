/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of the dictionary's call paths, as a prefix tree: a path that has
 * its outer frames in common with others takes memory only for its inner ones.
 *
 * Called with the dictionary's lock.  Nodes that have been given out stay
 * unchanged until the tree is reset, and any thread may read them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/modules.h"

/* If the limit of the dictionary is lower, it grows in smaller pieces. */
#define WM_FRAME_TREE_SMALL ((size_t)4 << 20)
/* The frames for which a column DICT has room (WM_BLOCK_DICT). */
#define WM_FRAME_TREE_BLOCK ((size_t)16 << 10)

struct wm_frame_node {
	uint64_t ip; /* return address */
	uint32_t parent; /* the frame that it returns into; 0: the outermost */
	uint32_t next; /* the tree's own */
};

/* Returns the depth of the deepest path for which an empty tree has room. */
size_t wm_frame_tree_deepest(void) wm_hidden;
const struct wm_frame_node *wm_frame_node(uint32_t node) wm_hidden;
/* Copies the @count inner frames of the path that ends in @node to @ip, outer
 * frames first, 8 bytes each, perhaps unaligned.  Returns the node that the
 * outermost of the copied frames returns into. */
uint32_t wm_frame_tree_frames(uint32_t node, size_t count, void *ip) wm_hidden;

/* Returns how many outer frames a path has in common with the last path that
 * was followed.  @frames begins with the outermost frame. */
size_t wm_frame_tree_shared(const uint64_t *frames, size_t depth) wm_hidden;
/* Follows a path whose outer @from frames are shared with the last path, adds
 * nodes for its new frames, and stores the node of its innermost frame in
 * *@node.  Returns false if there is no memory; then no node was added. */
bool wm_frame_tree_follow(const uint64_t *frames, size_t depth, size_t from,
			  uint32_t *node) wm_hidden;
/* Hides frames in these @ranges, so that no new frame is added below them: a
 * reader would take the old frames for the library that was mapped there
 * before. */
void wm_frame_tree_hide(const struct wm_code_range *ranges,
			size_t count) wm_hidden;
void wm_frame_tree_reset(void) wm_hidden;
/* Called in a traced child: begins with an empty tree. */
void wm_frame_tree_forget(void) wm_hidden;

/* Maps memory for the dictionary, or returns NULL.  The dictionary's limit does
 * not apply to the @first mapping of a kind.  wm_frame_tree_piece() returns the
 * number of bytes by which the dictionary grows. */
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
