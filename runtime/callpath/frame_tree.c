/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/frame_tree.h"

#include <string.h>

#include "runtime/base/pool.h"
#include "runtime/base/state.h"

#define MIN_BITS 10
#define PIECE_BYTES (512u << 10)
#define PIECE_SMALL (64u << 10)
#define PIECES 64 /* 28 MiB of the larger ones, 4 MiB of the smaller ones */
#define NODE_BYTES sizeof(struct wm_frame_node)

/* Pieces are never unmapped, because other threads may still read a path. */
static struct {
	size_t bytes; /* mapped for the dictionary in all */
	/* node 0 is no frame */
	struct wm_frame_node *piece[PIECES];
	unsigned piece_bits;
	uint32_t nodes, pieces;
	uint32_t *bucket; /* nodes by parent and address: lists by .next */
	unsigned bucket_bits;
	/* nodes of the last path, outermost first */
	uint32_t *trail;
	size_t trail_depth, trail_room;
} tree;

size_t wm_frame_tree_piece(void)
{
	return wm_memory_plan.dictionary < WM_FRAME_TREE_SMALL ? PIECE_SMALL :
								 PIECE_BYTES;
}

void *wm_frame_tree_map(size_t size, bool first)
{
	void *p = NULL;

	if (first || tree.bytes + size <= wm_memory_plan.dictionary)
		p = wm_pool_map(size);
	if (p)
		tree.bytes += size;
	return p;
}

static void unmap(void *p, size_t size)
{
	if (p)
		wm_pool_unmap(p, size);
	tree.bytes -= p ? size : 0;
}

static struct wm_frame_node *node_at(uint32_t n)
{
	return &tree.piece[n >> tree.piece_bits]
			  [n & ((1u << tree.piece_bits) - 1)];
}

const struct wm_frame_node *wm_frame_node(uint32_t node)
{
	return node_at(node);
}

uint32_t wm_frame_tree_frames(uint32_t node, size_t count, void *ip)
{
	uint32_t n = node;

	for (size_t i = count; i-- > 0; n = node_at(n)->parent)
		memcpy((char *)ip + i * sizeof(uint64_t), &node_at(n)->ip,
		       sizeof(uint64_t));
	return n;
}

static uint32_t *bucket_of(uint32_t parent, uint64_t ip)
{
	uint64_t h = (ip ^ (uint64_t)parent << 32) *
		     UINT64_C(0x9E3779B97F4A7C15);

	return &tree.bucket[(h ^ h >> 29) * UINT64_C(0xBF58476D1CE4E5B9) >>
			    (64 - tree.bucket_bits)];
}

static void enter_node(uint32_t n)
{
	struct wm_frame_node *x = node_at(n);
	uint32_t *list = bucket_of(x->parent, x->ip);

	x->next = *list;
	*list = n;
}

static bool more_buckets(void)
{
	uint32_t *old = tree.bucket;
	unsigned bits = old ? tree.bucket_bits + 2 : MIN_BITS;
	size_t before = sizeof(*old) << tree.bucket_bits;
	uint32_t *p = wm_frame_tree_map(sizeof(*p) << bits, !old);

	if (!p)
		return false;
	tree.bucket = p;
	tree.bucket_bits = bits;
	for (size_t i = 0; old && i < before / sizeof(*old); i++)
		for (uint32_t n = old[i], next; n; n = next) {
			next = node_at(n)->next;
			enter_node(n);
		}
	unmap(old, before);
	return true;
}

static bool more_nodes(void)
{
	size_t size = wm_frame_tree_piece();
	struct wm_frame_node *p;

	if (!tree.pieces) {
		tree.nodes = 1;
		while (NODE_BYTES << (tree.piece_bits + 1) <= size)
			tree.piece_bits++;
	}
	p = tree.pieces < PIECES ? wm_frame_tree_map(size, !tree.pieces) : NULL;
	if (!p)
		return false;
	tree.piece[tree.pieces++] = p;
	return true;
}

static bool has_room(size_t nodes)
{
	size_t there = ((size_t)tree.pieces << tree.piece_bits) - tree.nodes;
	size_t left = wm_memory_plan.dictionary > tree.bytes ?
			      wm_memory_plan.dictionary - tree.bytes :
			      0;

	return nodes <= there || !tree.pieces ||
	       nodes - there <= left / wm_frame_tree_piece() << tree.piece_bits;
}

static uint32_t find_child(uint32_t parent, uint64_t ip)
{
	const struct wm_frame_node *x;
	uint32_t n = tree.bucket ? *bucket_of(parent, ip) : 0;

	for (; n; n = x->next) {
		x = node_at(n);
		if (x->ip == ip && x->parent == parent)
			break;
	}
	return n;
}

static uint32_t add_child(uint32_t parent, uint64_t ip)
{
	struct wm_frame_node *x;
	uint32_t n;

	if (tree.nodes >> 1 >= 1u << tree.bucket_bits || !tree.bucket)
		if (!more_buckets() && !tree.bucket)
			return 0;
	if (tree.nodes >= tree.pieces << tree.piece_bits && !more_nodes())
		return 0;
	n = tree.nodes++;
	x = node_at(n);
	x->ip = ip;
	x->parent = parent;
	enter_node(n);
	return n;
}

static void take_back(uint32_t first)
{
	while (tree.nodes > first) {
		const struct wm_frame_node *x = node_at(--tree.nodes);
		uint32_t *link = bucket_of(x->parent, x->ip);

		while (*link != tree.nodes)
			link = &node_at(*link)->next;
		*link = x->next;
	}
	while (tree.trail_depth && tree.trail[tree.trail_depth - 1] >= first)
		tree.trail_depth--;
}

static bool more_trail(size_t depth)
{
	size_t room = tree.trail_room ? tree.trail_room : 1024;
	uint32_t *p;

	while (room < depth)
		room *= 2;
	p = wm_frame_tree_map(room * sizeof(*p), !tree.trail);
	if (!p)
		return false;
	for (size_t i = 0; i < tree.trail_depth; i++)
		p[i] = tree.trail[i];
	unmap(tree.trail, tree.trail_room * sizeof(*p));
	tree.trail = p;
	tree.trail_room = room;
	return true;
}

/* A frame needs 28 bytes for its node, the trail, and up to two tables of
 * lists, or 64 if pieces are small, because these are filled less well. */
size_t wm_frame_tree_deepest(void)
{
	size_t most = wm_memory_plan.dictionary /
		      (wm_memory_plan.dictionary < WM_FRAME_TREE_SMALL ? 64 :
									 28);

	/* Without further memory a path has to fit into one block. */
	return !wm_memory_plan.paths && most > WM_FRAME_TREE_BLOCK ?
		       WM_FRAME_TREE_BLOCK :
		       most;
}

size_t wm_frame_tree_shared(const uint64_t *frames, size_t depth)
{
	size_t n = 0;

	while (n < depth && n < tree.trail_depth &&
	       node_at(tree.trail[n])->ip == frames[n])
		n++;
	return n;
}

bool wm_frame_tree_follow(const uint64_t *frames, size_t depth, size_t from,
			  uint32_t *node)
{
	uint32_t n = from ? tree.trail[from - 1] : 0;
	const uint32_t first = tree.nodes ? tree.nodes : 1;

	if (!has_room(depth - from) ||
	    (depth > tree.trail_room && !more_trail(depth)))
		return false;
	for (tree.trail_depth = from; from < depth; tree.trail_depth = ++from) {
		uint32_t parent = n;

		/* A node that was just added has no children. */
		n = parent < first ? find_child(parent, frames[from]) : 0;
		if (!n)
			n = add_child(parent, frames[from]);
		if (!n) {
			take_back(first);
			return false;
		}
		tree.trail[from] = n;
	}
	*node = n;
	return true;
}

void wm_frame_tree_hide(const struct wm_code_range *ranges, size_t count)
{
	tree.trail_depth = 0;
	for (size_t i = 0; tree.bucket && i < (size_t)1 << tree.bucket_bits;
	     i++)
		for (uint32_t *link = &tree.bucket[i]; *link;) {
			struct wm_frame_node *x = node_at(*link);

			if (wm_frame_tree_is_in(x->ip, ranges, count))
				*link = x->next;
			else
				link = &x->next;
		}
}

void wm_frame_tree_reset(void)
{
	for (size_t i = 0; tree.bucket && i < (size_t)1 << tree.bucket_bits;
	     i++)
		tree.bucket[i] = 0;
	tree.nodes = tree.pieces ? 1 : 0;
	tree.trail_depth = 0;
}

void wm_frame_tree_forget(void)
{
	memset(&tree, 0, sizeof(tree));
}
