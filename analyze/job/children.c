/* SPDX-License-Identifier: Apache-2.0 */
/* A child shares its parent's pages until one of them writes to a page, and
 * traces do not record which pages are shared: all memory that was resident in
 * the child is an upper bound.  But each own page of the child, including
 * copies of its parent's pages, needed a page fault.  Parent and child have one
 * clock. */
#include "analyze/job/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/passes/reading.h"
#include "wm/search.h"

/* A child begins (`more` is 1) or ends (-1), on its parent's clock. */
struct change {
	double seconds;
	uint64_t bytes, own, own_least;
	int more;
};

/* At equal times, beginnings come before ends. */
static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->seconds, y->seconds),
		       WM_ORDER(y->more, x->more));
}

/* Finds the pages of the child @r that are not its @parent's.  Code counts in
 * each process, and needs no page fault where other processes have mapped it.
 * Children of @r may share more of its memory. */
static void find_own(struct change *c, const struct wm_rank *r,
		     const struct wm_rank *parent)
{
	c->own = c->bytes;
	if (r->usage.faulted)
		wm_lower(&c->own, r->usage.faulted + r->usage.file_peak);
	if (parent->ended && parent->peak_rss && r->parent == parent->pid)
		c->own_least = wm_least(c->own, wm_above(r->peak_rss,
							 parent->peak_rss));
}

/* Returns the seconds from fork to first event, or the age of the parent. */
static double age_at_start(const struct wm_rank *r,
			   const struct wm_rank *parent)
{
	uint64_t born = r->born ? r->born : parent->start.mono_ns;

	return (double)wm_above(r->start.mono_ns, born) / 1e9;
}

static enum wm_status read_one(struct change life[2],
			       const struct wm_run_child *child,
			       struct wm_rank *parent, struct wm_err *err)
{
	const struct wm_wish none = { .needs = 0 };
	uint64_t tool;
	struct wm_rank r;
	double begin;
	enum wm_status s = wm_rank_read(&r, child->path, child->path,
					child->rank, &none, NULL, err);

	if (s) {
		parent->forked.at_least = true;
		return s == WM_NO_MEMORY ? s : WM_OK;
	}
	tool = r.tool.resident ? r.tool.resident : r.tool.memory;
	begin = ((double)r.start.mono_ns - (double)parent->start.mono_ns) / 1e9;
	/* otherwise the parent is an older process of the rank */
	if (begin >= 0 && r.boot_id && parent->boot_id &&
	    !strcmp(r.boot_id, parent->boot_id)) {
		life[0] = (struct change){
			.seconds = begin - age_at_start(&r, parent),
			.bytes = r.peak_rss > tool ? r.peak_rss - tool :
						     r.in[WM_HOST].peak_bytes,
			.more = 1,
		};
		find_own(&life[0], &r, parent);
		life[1] = life[0];
		life[1].seconds = r.ended ? begin + r.seconds : INFINITY;
		life[1].more = -1;
		wm_raise(&parent->forked.largest, r.peak_rss);
		parent->forked.count++;
		parent->forked.at_least |= !wm_rank_is_whole(&r);
		parent->forked.faults += r.usage.faults;
	}
	wm_rank_release(&r);
	return WM_OK;
}

static void find_most(struct wm_forked *f, const struct change *c, size_t count,
		      double end)
{
	uint64_t bytes = 0, own = 0, own_least = 0, now = 0;

	for (size_t i = 0; i < count; i++) {
		if (c[i].more < 0) {
			bytes -= c[i].bytes;
			own -= c[i].own;
			own_least -= c[i].own_least;
			now--;
			continue;
		}
		bytes += c[i].bytes;
		own += c[i].own;
		own_least += c[i].own_least;
		now++;
		wm_raise(&f->most, bytes);
		wm_raise(&f->own_most, own);
		wm_raise(&f->own_least, own_least);
		wm_raise(&f->at_once, now);
		if (c[i].seconds <= end)
			wm_raise(&f->beside, bytes);
	}
}

static enum wm_status read_children(struct wm_rank *parent,
				    const struct wm_run_child *child,
				    size_t count, size_t dir,
				    struct wm_err *err)
{
	struct change *c = calloc(2 * count, sizeof(*c));
	enum wm_status s = c ? WM_OK : wm_no_memory(err, NULL);
	size_t n = 0, i;

	for (i = 0; i < count && !s; i++) {
		if (child[i].dir != dir)
			continue;
		s = read_one(&c[n], &child[i], parent, err);
		n += c[n].more ? 2 : 0;
	}
	if (!s && n) {
		WM_SORT(c, n, by_time);
		find_most(&parent->forked, c, n,
			  parent->ended ? parent->seconds : INFINITY);
	}
	free(c);
	return s;
}

enum wm_status wm_children_read(struct wm_analysis *a, struct wm_err *err)
{
	const struct wm_run *run = &a->run;
	enum wm_status s = WM_OK;
	size_t i, end, k = 0;

	for (i = 0; i < run->child_count && !s; i = end) {
		uint64_t rank = run->children[i].rank;

		for (end = i;
		     end < run->child_count && run->children[end].rank == rank;)
			end++;
		while (k < a->rank_count && a->ranks[k].rank < rank)
			k++;
		if (k < a->rank_count && a->ranks[k].rank == rank)
			s = read_children(&a->ranks[k], &run->children[i],
					  end - i,
					  run->files[a->ranks[k].source].dir,
					  err);
	}
	return s;
}
