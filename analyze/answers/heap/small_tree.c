/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/small_tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/answers/heap/tree.h"
#include "wm/search.h"

#define FEWEST 6 /* so few moments never have too many changes */

struct making {
	struct wm_small_tree *t;
	const struct wm_analysis *a;
	struct wm_use *most; /* by path: the most bytes of any moment */
	struct wm_tree tree;
	uint32_t *node_of; /* by node of the whole tree */
	uint64_t *now, *before; /* self bytes by node */
	bool too_many;
};

static enum wm_status take_most(void *context, size_t moment,
				const uint64_t *bytes, struct wm_err *err)
{
	struct making *m = context;

	(void)moment;
	(void)err;
	for (size_t i = 0; i < m->a->paths.path_count; i++) {
		if (bytes[i] <= m->most[i].peak_bytes)
			continue;
		m->most[i].peak_bytes = bytes[i];
		m->most[i].peak_blocks = 1;
	}
	return WM_OK;
}

static int by_bytes(const void *a, const void *b, void *nodes)
{
	const struct wm_tree_node *tree = nodes;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct wm_tree_node *x = &tree[i], *y = &tree[k];

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(x->depth, y->depth), WM_ORDER(i, k));
}

/* Returns how many first nodes of @order, where callers come before callees,
 * can stay so that the "small" nodes fit, too. */
static size_t count_kept(const struct wm_tree *t, const uint32_t *order,
			 uint8_t *seen)
{
	size_t n = t->count - 1, kept, i, small;

	if (t->count <= WM_SMALL_TREE_NODES)
		return n;
	for (kept = WM_SMALL_TREE_NODES - 2;; kept -= kept / 8 + 1) {
		memset(seen, 0, t->count);
		for (i = 0; i < kept; i++)
			seen[order[i]] = 1;
		seen[0] = 1;
		for (small = 0; i < n; i++) {
			uint32_t p = t->node[order[i]].parent;

			small += seen[p] == 1;
			if (seen[p] == 1)
				seen[p] = 2;
		}
		if (kept + small < WM_SMALL_TREE_NODES)
			return kept;
	}
}

static uint32_t add_node(struct wm_small_tree *t, uint32_t parent,
			 const struct wm_tree_node *n)
{
	struct wm_small_node *q = &t->node[t->count];

	q->parent = parent;
	if (n) {
		q->symbol = n->symbol;
		q->file = n->file;
		q->line = n->line;
		q->module = n->module;
	}
	return (uint32_t)t->count++;
}

/* Makes the first @kept nodes of @order nodes of the small tree, and merges all
 * others into "small" nodes.  @small has, by node of the small tree, the number
 * of its "small" child, or 0. */
static void place_nodes(struct making *m, const uint32_t *order, size_t kept,
			uint32_t *small)
{
	const struct wm_tree *tree = &m->tree;
	struct wm_small_tree *t = m->t;

	m->node_of[0] = add_node(t, 0, NULL);
	for (size_t i = 0; i < tree->count - 1; i++) {
		const struct wm_tree_node *n = &tree->node[order[i]];
		uint32_t parent = m->node_of[n->parent];

		if (i < kept) {
			m->node_of[order[i]] = add_node(t, parent, n);
			continue;
		}
		/* nodes below a small node belong to the same small node */
		if (!t->node[parent].merged && !small[parent])
			small[parent] = add_node(t, parent, NULL);
		if (!t->node[parent].merged)
			parent = small[parent];
		m->node_of[order[i]] = parent;
		t->node[parent].merged++;
		t->merged++;
	}
}

static enum wm_status choose_nodes(struct making *m, struct wm_err *err)
{
	const struct wm_tree *tree = &m->tree;
	uint32_t *order = calloc(tree->count, sizeof(*order));
	uint8_t *seen = calloc(tree->count, 1);
	size_t room = tree->count < WM_SMALL_TREE_NODES ? tree->count :
							  WM_SMALL_TREE_NODES;
	uint32_t *small = calloc(room + 1, sizeof(*small));
	enum wm_status s = WM_OK;

	m->node_of = calloc(tree->count, sizeof(*m->node_of));
	m->t->node = calloc(room + 1, sizeof(*m->t->node));
	m->now = calloc(room + 1, sizeof(*m->now));
	m->before = calloc(room + 1, sizeof(*m->before));
	if (!order || !seen || !small || !m->node_of || !m->t->node ||
	    !m->now || !m->before)
		s = wm_no_memory(err, "the call tree");
	for (size_t i = 1; i < tree->count && !s; i++)
		order[i - 1] = (uint32_t)i;
	if (!s) {
		qsort_r(order, tree->count - 1, sizeof(*order), by_bytes,
			tree->node);
		place_nodes(m, order, count_kept(tree, order, seen), small);
	}
	free(order);
	free(seen);
	free(small);
	return s;
}

static enum wm_status take_changes(void *context, size_t moment,
				   const uint64_t *bytes, struct wm_err *err)
{
	struct making *m = context;
	struct wm_small_tree *t = m->t;

	memset(m->now, 0, t->count * sizeof(*m->now));
	for (size_t i = 0; i < m->a->paths.path_count; i++)
		if (bytes[i])
			m->now[m->node_of[m->tree.leaf[i]]] += bytes[i];
	for (size_t i = 0; i < t->count && !m->too_many; i++) {
		struct wm_small_change *c;

		if (m->now[i] == m->before[i])
			continue;
		c = WM_MORE(t->change, t->cap, t->changes);
		if (!c)
			return wm_no_memory(err, "the call tree");
		*c = (struct wm_small_change){ m->now[i], (uint32_t)i };
		m->before[i] = m->now[i];
		m->too_many = ++t->changes > WM_SMALL_TREE_CHANGES;
	}
	t->end[moment] = t->changes;
	return WM_OK;
}

static enum wm_status make_tree(struct making *m, size_t most,
				struct wm_err *err)
{
	struct wm_small_tree *t = m->t;
	const struct wm_analysis *a = m->a;
	enum wm_status s = wm_stored_moments_make(&t->moments, a, most, err);

	if (s)
		return s;
	m->most = calloc(a->paths.path_count + 1, sizeof(*m->most));
	t->end = calloc(t->moments.count + 1, sizeof(*t->end));
	if (!m->most || !t->end)
		return wm_no_memory(err, "the call tree");
	s = wm_stored_moments_visit(&t->moments, a, take_most, m, err);
	if (!s)
		s = wm_tree_make(&m->tree, a, m->most, NULL, false, err);
	if (!s)
		s = choose_nodes(m, err);
	return s ? s :
		   wm_stored_moments_visit(&t->moments, a, take_changes, m,
					   err);
}

enum wm_status wm_small_tree_make(struct wm_small_tree *t,
				  const struct wm_analysis *a, size_t most,
				  struct wm_err *err)
{
	enum wm_status s;
	bool again;

	do {
		struct making m = { .t = t, .a = a };

		memset(t, 0, sizeof(*t));
		s = make_tree(&m, most, err);
		again = !s && m.too_many && most > FEWEST;
		free(m.most);
		free(m.node_of);
		free(m.now);
		free(m.before);
		wm_tree_release(&m.tree);
		if (s || again)
			wm_small_tree_release(t);
		most /= 2;
	} while (again);
	return s;
}

void wm_small_tree_release(struct wm_small_tree *t)
{
	free(t->node);
	free(t->change);
	free(t->end);
	wm_stored_moments_release(&t->moments);
	memset(t, 0, sizeof(*t));
}
