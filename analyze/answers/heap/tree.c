/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/order.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/symbols/site.h"

struct visit {
	uint32_t times; /* how often the function is on the path */
	uint32_t level; /* place in the chain, from 1 on; 0: not in the chain */
};

struct build {
	struct wm_tree *tree;
	const struct wm_analysis *a;
	struct wm_path_frames callpath;
	struct wm_frame *chain; /* from the root on, each function once */
	size_t length, chain_cap;
	struct visit *visit; /* by function; all zero between two paths */
	size_t visit_cap;
	struct wm_index index; /* of nodes, by parent and function */
	/* root of the path that is added, or NULL */
	const struct wm_symbol *root;
};

static int add_root(struct build *b)
{
	if (!b->root)
		return 0;
	if (b->length == WM_TREE_LEVELS)
		b->length--;
	if (!WM_MORE(b->chain, b->chain_cap, b->length))
		return -1;
	b->chain[b->length++] = (struct wm_frame){ 0, b->root };
	return 0;
}

/* If the function of @f is in the chain, removes the functions behind it; else
 * adds @f.  Each frame is added and removed at most once, so a path takes time
 * proportional to its length. */
static int add_to_chain(struct build *b, const struct wm_frame *f)
{
	struct visit *v = &b->visit[f->symbol->function];
	struct wm_frame *chain;

	v->times++;
	if (v->level) {
		while (b->length > v->level)
			b->visit[b->chain[--b->length].symbol->function].level =
				0;
		return 0;
	}
	if (b->length == WM_TREE_LEVELS)
		return 0;
	chain = WM_MORE(b->chain, b->chain_cap, b->length);
	if (!chain)
		return -1;
	*chain = *f;
	b->length++;
	v->level = (uint32_t)b->length;
	return 0;
}

static void forget_visits(struct build *b)
{
	static const struct visit none;

	for (size_t i = 0; i < b->callpath.count; i++)
		b->visit[b->callpath.frame[i].symbol->function] = none;
	for (size_t i = 0; i < b->length; i++)
		if (b->chain[i].symbol != b->root)
			b->visit[b->chain[i].symbol->function] = none;
}

/* Returns the node of @f below @parent, new or not, or 0 if memory is short. */
static uint32_t get_node(struct build *b, uint32_t parent,
			 const struct wm_frame *f)
{
	uint32_t function = f->symbol->function, hash;
	struct wm_tree *t = b->tree;
	struct wm_index *x = &b->index;
	struct wm_index_slot *s;
	struct wm_tree_node *node;

	hash = wm_index_hash((uint64_t)parent << 32 | function);
	if (wm_index_room(x))
		return 0;
	WM_INDEX_EACH(s, x, hash) {
		node = &t->node[s->number - 1];
		if (node->parent == parent &&
		    node->symbol->function == function)
			return s->number - 1;
	}
	node = WM_MORE(t->node, t->cap, t->count);
	if (!node)
		return 0;
	node->symbol = f->symbol;
	node->module = b->a->paths.nodes[f->node].module;
	node->parent = parent;
	node->depth = t->node[parent].depth + 1;
	node->recursion = 1;
	t->node[parent].children++;
	wm_index_put(x, s, hash, t->count);
	return (uint32_t)t->count++;
}

/* Takes the file from the path with most bytes. */
static void take_file(struct wm_tree_node *n, const struct wm_symbol *s,
		      uint64_t bytes)
{
	if (!s->file)
		return;
	if (n->file && (bytes < n->most ||
			(bytes == n->most && strcmp(s->file, n->file) >= 0)))
		return;
	n->file = s->file;
	n->line = s->line;
	n->most = bytes;
}

static int add_chain(struct build *b, uint32_t path, const struct wm_use *u)
{
	struct wm_tree *t = b->tree;
	struct wm_tree_node *n;
	uint32_t at = 0;

	t->node[0].bytes += u->peak_bytes;
	t->node[0].blocks += u->peak_blocks;
	for (size_t i = 0; i < b->length; i++) {
		const struct wm_symbol *s = b->chain[i].symbol;

		at = get_node(b, at, &b->chain[i]);
		if (!at)
			return -1;
		n = &t->node[at];
		n->bytes += u->peak_bytes;
		n->blocks += u->peak_blocks;
		if (s != b->root && b->visit[s->function].times > n->recursion)
			n->recursion = b->visit[s->function].times;
		take_file(n, s, u->peak_bytes);
	}
	t->leaf[path] = at;
	t->node[at].self_bytes += u->peak_bytes;
	t->node[at].self_blocks += u->peak_blocks;
	return 0;
}

static enum wm_status add_path(struct build *b, uint32_t path,
			       const struct wm_use *u, struct wm_err *err)
{
	const struct wm_analysis *a = b->a;
	struct wm_path_frames *f = &b->callpath;
	enum wm_status s = wm_path_frames_fill(f, a, path, err);
	bool up = b->tree->bottom_up, bad;
	struct wm_frame none = { 0, NULL };

	if (s)
		return s;
	if (!f->count)
		none = wm_site_find(a->symbols, &a->paths, path);
	if ((!f->count && !none.symbol) ||
	    !WM_ZEROED(b->visit, b->visit_cap,
		       (size_t)a->symbols->functions.count + 1))
		return wm_no_memory(err, "the call tree");
	b->length = 0;
	bad = !up && add_root(b);
	bad = bad || (!f->count && add_to_chain(b, &none));
	for (size_t i = 0; i < f->count && !bad; i++)
		bad = add_to_chain(b, &f->frame[up ? i : f->count - 1 - i]);
	bad = bad || (up && add_root(b));
	bad = bad || add_chain(b, path, u);
	forget_visits(b);
	return bad ? wm_no_memory(err, "the call tree") : WM_OK;
}

static int by_location(const void *a, const void *b, void *nodes)
{
	const struct wm_tree_node *sorting = nodes;
	const struct wm_tree_node *x = &sorting[*(const uint32_t *)a];
	const struct wm_tree_node *y = &sorting[*(const uint32_t *)b];

	return WM_KEYS(WM_ORDER(x->parent, y->parent),
		       WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->blocks, x->blocks),
		       strcmp(x->symbol->name, y->symbol->name),
		       wm_text_order(x->symbol->object, y->symbol->object),
		       WM_ORDER(x->module, y->module));
}

static enum wm_status put_in_order(struct wm_tree *t, struct wm_err *err)
{
	t->order = calloc(t->count, sizeof(*t->order));
	if (!t->order)
		return wm_no_memory(err, "the call tree");
	for (size_t i = 1; i < t->count; i++)
		t->order[i - 1] = (uint32_t)i;
	if (t->count > 1)
		qsort_r(t->order, t->count - 1, sizeof(*t->order), by_location,
			t->node);
	for (size_t i = t->count - 1; i-- > 0;)
		t->node[t->node[t->order[i]].parent].first = i;
	return WM_OK;
}

enum wm_status wm_tree_make(struct wm_tree *t, const struct wm_analysis *a,
			    const struct wm_use *use,
			    const struct wm_thread_rows *rows, bool bottom_up,
			    struct wm_err *err)
{
	struct build b = { .tree = t, .a = a };
	enum wm_status s = WM_OK;

	memset(t, 0, sizeof(*t));
	t->bottom_up = bottom_up;
	t->leaf = calloc(a->paths.path_count + 1, sizeof(*t->leaf));
	if (!t->leaf || !WM_MORE(t->node, t->cap, 0)) {
		wm_tree_release(t);
		return wm_no_memory(err, "the call tree");
	}
	t->count = 1;
	for (size_t i = 0; !rows && i < a->paths.path_count && !s; i++)
		if (use[i].peak_blocks)
			s = add_path(&b, (uint32_t)i, &use[i], err);
	for (size_t i = 0; rows && i < rows->uses && !s; i++) {
		const struct wm_rooted_use *u = &rows->use[i];

		b.root = u->root;
		if (u->use.peak_blocks)
			s = add_path(&b, u->path, &u->use, err);
	}
	if (!s)
		s = put_in_order(t, err);
	wm_path_frames_release(&b.callpath);
	free(b.chain);
	free(b.visit);
	wm_index_release(&b.index);
	if (s)
		wm_tree_release(t);
	return s;
}

void wm_tree_release(struct wm_tree *t)
{
	free(t->node);
	free(t->order);
	free(t->leaf);
	memset(t, 0, sizeof(*t));
}
