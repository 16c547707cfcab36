/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/sum.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/job/analysis.h"

void wm_sum_release(struct wm_sum *s)
{
	wm_paths_release(&s->paths);
	wm_annotations_release(&s->annotations);
	wm_shares_release(&s->left);
	wm_shares_release(&s->cut);
	wm_shares_release(&s->churn);
	wm_shares_release(&s->marks);
	free(s->use);
	free(s->lifetime);
	free(s->held);
	free(s->rank);
	memset(s, 0, sizeof(*s));
}

/* Makes room for the lifetimes of @count paths; new lifetimes are 0. */
static enum wm_status grow_lifetimes(struct wm_lifetime **lifetime,
				     size_t *have, size_t *cap, size_t count,
				     struct wm_err *err)
{
	if (!WM_ZEROED(*lifetime, *cap, count))
		return wm_no_memory(err, "call paths");
	*have = count > *have ? count : *have;
	return WM_OK;
}

static void add_lifetime(struct wm_sum *s, const struct wm_lifetime *lifetime,
			 uint32_t path, bool cut)
{
	struct wm_lifetime here = *lifetime, held = {
		.left = lifetime->left,
		.first = lifetime->first,
		.last = lifetime->last,
		.trend = lifetime->trend,
		.marks = lifetime->marks,
	};

	if (cut) {
		wm_lifetime_add(&s->held[path], &held);
		here.left = 0;
		here.first = here.last = 0;
		here.trend = WM_TREND_ONCE;
		here.marks = (struct wm_trend_marks){ .left = 0 };
	}
	wm_lifetime_add(&s->lifetime[path], &here);
}

static enum wm_status add_marks(struct wm_sum *s, const struct wm_rank *r,
				size_t i, uint32_t path, struct wm_err *err)
{
	struct wm_trend_marks marks = r->lifetime[i].marks;
	uint64_t value;

	/* realloc moves blocks to other calls of one line */
	_Static_assert(sizeof(value) == sizeof(marks), "a share holds it");
	if (r->lifetime[i].trend == WM_TREND_GROWS || !r->use ||
	    (!r->use[i].end_blocks && !r->use[i].left_blocks && !marks.moved))
		return WM_OK;
	marks.cut = wm_rank_is_cut(r);
	memcpy(&value, &marks, sizeof(value));
	return wm_shares_add(&s->marks, path, s->ranks - 1, value, err);
}

static enum wm_status add_shares(struct wm_sum *s, const struct wm_rank *r,
				 size_t i, uint32_t path, struct wm_err *err)
{
	struct wm_shares *end = wm_rank_is_cut(r) ? &s->cut : &s->left;
	size_t place = s->ranks - 1;
	enum wm_status st = WM_OK;

	/* handles count when MPI_Finalize begins, as it may free them */
	if (r->use && r->use[i].end_blocks)
		st = wm_shares_add(end, path, place, r->use[i].end_bytes, err);
	else if (r->use && r->use[i].left_blocks && !wm_rank_is_cut(r))
		st = wm_shares_add(end, path, place, r->use[i].left_bytes, err);
	if (!st && r->lifetime[i].blocks)
		st = wm_shares_add(&s->churn, path, place,
				   r->lifetime[i].blocks - r->lifetime[i].most,
				   err);
	return st;
}

static enum wm_status add_lifetimes(struct wm_sum *s, const struct wm_rank *r,
				    const uint32_t *number, struct wm_err *err)
{
	size_t count = s->paths.path_count, i;
	bool cut = wm_rank_is_cut(r);
	enum wm_status st;

	if (!r->lifetime)
		return WM_OK;
	if (!WM_APPEND(s->rank, s->rank_cap, s->ranks, r->rank))
		return wm_no_memory(err, "call paths");
	st = grow_lifetimes(&s->lifetime, &s->lifetime_count, &s->lifetime_cap,
			    count, err);
	if (!st && cut)
		st = grow_lifetimes(&s->held, &s->held_count, &s->held_cap,
				    count, err);
	for (i = 0; !st && i < r->paths.path_count; i++) {
		add_lifetime(s, &r->lifetime[i], number[i], cut);
		st = add_shares(s, r, i, number[i], err);
		if (!st)
			st = add_marks(s, r, i, number[i], err);
	}
	return st;
}

static enum wm_status add_uses(struct wm_sum *s, const struct wm_rank *r,
			       const uint32_t *number, struct wm_err *err)
{
	struct wm_use *use = WM_ZEROED(s->use, s->use_cap, s->paths.path_count);

	if (!use)
		return wm_no_memory(err, "call paths");
	for (size_t i = 0; r->use && i < r->paths.path_count; i++) {
		struct wm_use u = r->use[i];

		wm_use_hold(&u, r);
		wm_use_add(&use[number[i]], &u);
	}
	return WM_OK;
}

enum wm_status wm_sum_add(struct wm_sum *s, const struct wm_rank *r,
			  struct wm_err *err)
{
	uint32_t *number = calloc(r->paths.path_count, sizeof(*number));
	enum wm_status st;

	if (!number)
		return wm_no_memory(err, "call paths");
	st = wm_paths_merge(&s->paths, &r->paths, number, err);
	if (!st)
		st = add_uses(s, r, number, err);
	if (!st)
		st = add_lifetimes(s, r, number, err);
	if (!st && (s->wants_notes || r->lifetime))
		st = wm_annotations_merge(&s->annotations, &r->annotations,
					  number, err);
	free(number);
	return st;
}

static enum wm_status move_lifetimes(struct wm_lifetime **lifetime,
				     size_t *have, const uint32_t *number,
				     size_t count, struct wm_err *err)
{
	struct wm_lifetime *to;

	if (!*lifetime)
		return WM_OK;
	to = calloc(count + 1, sizeof(*to));
	if (!to)
		return wm_no_memory(err, "call paths");
	for (size_t i = 0; i < *have; i++)
		to[number ? number[i] : i] = (*lifetime)[i];
	free(*lifetime);
	*lifetime = to;
	*have = count;
	return WM_OK;
}

static enum wm_status move_notes(struct wm_annotations *annotations,
				 const uint32_t *number, struct wm_err *err)
{
	struct wm_annotations moved = { .phase = NULL };
	enum wm_status st;

	if (!number)
		return wm_annotations_sort(annotations, err);
	st = wm_annotations_merge(&moved, annotations, number, err);
	if (!st)
		st = wm_annotations_sort(&moved, err);
	if (st) {
		wm_annotations_release(&moved);
		return st;
	}
	wm_annotations_release(annotations);
	*annotations = moved;
	return WM_OK;
}

enum wm_status wm_sum_finish(struct wm_sum *s, const uint32_t *number,
			     size_t count, struct wm_err *err)
{
	enum wm_status st;

	wm_shares_sort(&s->left, number);
	wm_shares_sort(&s->cut, number);
	wm_shares_sort(&s->churn, number);
	wm_shares_sort(&s->marks, number);
	st = move_lifetimes(&s->lifetime, &s->lifetime_count, number, count,
			    err);
	if (!st)
		st = move_lifetimes(&s->held, &s->held_count, number, count,
				    err);
	return st ? st : move_notes(&s->annotations, number, err);
}

const struct wm_analysis *wm_sum_view(struct wm_analysis *view,
				      const struct wm_analysis *a, bool one)
{
	if (one || a->rank_count == 1 || !a->retained[WM_RETAINED_all].use)
		return a;
	*view = *a;
	view->chosen = WM_ALL_RANKS;
	view->use = a->retained[WM_RETAINED_all].use;
	view->lifetime = a->sum.lifetime;
	view->lifetime_count = a->sum.lifetime_count;
	view->annotations = a->sum.annotations;
	return view;
}
