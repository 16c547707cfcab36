/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most that the ranks of a node need at one time.  This can be less than
 * the sum of their highest needs: a rank that has unmapped its large memory, or
 * has not mapped it yet, needs that much less.
 *
 * All other memory of a rank counts all the time, as malloc may keep it and as
 * processes start and end at times that are chance.  A second sum leaves out
 * memory that malloc keeps.  If the kernel saw more memory than the trace
 * explains, nothing is subtracted.  Ranks of a node have one clock, so the
 * order of their steps is known.
 */
#include "analyze/answers/need/job_need.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "wm/search.h"

#define KEPT_PART 32 /* malloc may always keep 1/32 of a rank's need */
#define LATE ((uint64_t)1 << 20)

/* A change of a rank's need by .more bytes, at .ns on the job's clock. */
struct change {
	size_t node;
	uint64_t ns;
	int64_t more;
};

struct changes {
	struct change *v;
	size_t count;
};

size_t wm_job_need_node(const struct wm_analysis *a, size_t index)
{
	return a->run.files[a->ranks[index].source].node;
}

void wm_job_need_release(struct wm_job_need *n)
{
	free(n->rank);
	free(n->node);
	memset(n, 0, sizeof(*n));
}

/* By time; increases come first, as both ranks may have the memory then. */
static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->node, y->node), WM_ORDER(x->ns, y->ns),
		       WM_ORDER(y->more, x->more));
}

/* Returns how much more shared memory the rank had at some other time than at
 * its highest need.  Ignores a few pages of MPI, which the kernel counts late.
 * A count of the kernel may include this memory, or as much private memory. */
static uint64_t find_doubt(const struct wm_rank_need *n,
			   const struct wm_rank *r)
{
	return r->usage.shared_peak > n->shared + LATE ?
		       r->usage.shared_peak - n->shared :
		       0;
}

/* Returns whether no count of the kernel exceeds @c and @rest. */
static bool is_true(const struct wm_course *c, const struct wm_rank_need *n,
		    const struct wm_rank *r, uint64_t rest)
{
	uint64_t here = 0, before = 0, off = wm_tool_of(r) + n->shared;
	size_t k = 0;

	for (size_t i = 0; i < r->usage.rss_count; i++) {
		const struct wm_resident *seen = &r->usage.rss[i];

		/* a step is recorded before the memory is taken */
		for (; k < c->count && c->step[k].ns <= seen->ns; k++) {
			before = here;
			here = c->step[k].bytes;
		}
		if (seen->bytes > off + rest + wm_most(here, before))
			return false;
	}
	return true;
}

static void add(struct changes *c, size_t node, uint64_t ns, uint64_t from,
		uint64_t to)
{
	if (from != to)
		c->v[c->count++] = (struct change){ node, ns,
						    (int64_t)(to - from) };
}

/* Returns the steps of a rank's own memory, or NULL if they are unknown, and
 * stores the bytes beside them in *@rest.  With @kept, malloc is assumed to
 * keep all memory except large blocks; else it keeps only a small part. */
static const struct wm_course *find_course(const struct wm_rank_need *n,
					   const struct wm_rank *r, bool kept,
					   uint64_t *rest)
{
	const struct wm_course *of = kept ? &r->course.large : &r->course.live;

	*rest = n->allocator + n->statics + n->stack + n->thread_stacks +
		n->child + wm_most(n->other, r->usage.file_peak) +
		find_doubt(n, r) +
		(kept ? r->course.rest_most : n->own / KEPT_PART);
	return of->count && n->counted != WM_COUNTED_FAILED &&
			       is_true(of, n, r, *rest) ?
		       of :
		       NULL;
}

uint64_t wm_job_need_at(const struct wm_rank_need *n, const struct wm_rank *r,
			uint64_t ns, bool kept)
{
	uint64_t rest;
	const struct wm_course *of = find_course(n, r, kept, &rest);

	for (size_t i = 0; of && i < of->count && of->step[i].ns <= ns; i++)
		if (i + 1 == of->count || of->step[i + 1].ns > ns)
			rest += of->step[i].bytes;
	return of ? wm_least(n->own, rest) : n->own;
}

static void add_rank(struct changes *c, const struct wm_rank_need *n,
		     const struct wm_rank *r, size_t node, bool kept)
{
	uint64_t rest;
	const struct wm_course *of = find_course(n, r, kept, &rest);
	uint64_t now = of ? wm_least(n->own, rest) : n->own;

	add(c, node, 0, 0, now);
	for (size_t i = 0; of && i < of->count; i++) {
		uint64_t next = wm_least(n->own, rest + of->step[i].bytes);

		add(c, node, of->step[i].ns, now, next);
		now = next;
	}
}

static void find_most(struct wm_job_need *n, const struct changes *c, bool kept)
{
	uint64_t sum = 0, high = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct wm_node_need *node = &n->node[c->v[i].node];

		sum += (uint64_t)c->v[i].more;
		high = wm_most(high, sum);
		if (i + 1 < c->count && c->v[i + 1].node == c->v[i].node)
			continue;
		if (kept)
			node->at_once = wm_least(node->own, high);
		else
			node->least_at_once = wm_least(node->at_once, high);
		sum = high = 0;
	}
}

static enum wm_status find_at_once(struct wm_job_need *n,
				   const struct wm_analysis *a, bool kept,
				   struct wm_err *err)
{
	struct changes c = { NULL, 0 };
	size_t count = 1, i;

	for (i = 0; i < a->rank_count; i++)
		count += (kept ? a->ranks[i].course.large.count :
				 a->ranks[i].course.live.count) +
			 1;
	c.v = calloc(count, sizeof(*c.v));
	if (!c.v) {
		wm_job_need_release(n);
		return wm_no_memory(err, NULL);
	}
	for (i = 0; i < a->rank_count; i++)
		add_rank(&c, &n->rank[i], &a->ranks[i], wm_job_need_node(a, i),
			 kept);
	qsort(c.v, c.count, sizeof(*c.v), by_time);
	find_most(n, &c, kept);
	free(c.v);
	return WM_OK;
}

static bool are_groups_apart(const struct wm_analysis *a, size_t i, size_t k)
{
	const char *x = wm_analysis_origin(a, i)->group;
	const char *y = wm_analysis_origin(a, k)->group;

	return x && y && strcmp(x, y) != 0;
}

enum wm_status wm_job_need_find(struct wm_job_need *n,
				const struct wm_analysis *a, struct wm_err *err)
{
	enum wm_status s;
	size_t i;

	n->nodes = a->run.file_count + 1;
	n->rank = calloc(a->rank_count + 1, sizeof(*n->rank));
	n->node = calloc(n->nodes, sizeof(*n->node));
	if (!n->rank || !n->node) {
		wm_job_need_release(n);
		return wm_no_memory(err, NULL);
	}
	for (i = 0; i < a->rank_count; i++) {
		struct wm_node_need *node = &n->node[wm_job_need_node(a, i)];

		if (!node->ranks)
			node->first = i;
		node->groups_apart |= are_groups_apart(a, node->first, i);
		wm_rank_need_find(&n->rank[i], a, i);
		wm_node_need_add(node, &n->rank[i]);
		node->doubtful |= find_doubt(&n->rank[i], &a->ranks[i]) != 0;
	}
	s = find_at_once(n, a, true, err);
	return s ? s : find_at_once(n, a, false, err);
}
