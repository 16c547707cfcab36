/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/leaks/leak_parts.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/answers/heap/forwarders.h"
#include "analyze/answers/leaks/trends.h"

void wm_leak_parts_release(struct wm_leak_parts *l)
{
	for (size_t k = 0; k < WM_LEAK_PARTS; k++)
		wm_functions_release(&l->part[k]);
	wm_share_sum_release(&l->sum);
	wm_handles_release(&l->handles);
	free(l->held_trend);
	free(l->group);
}

struct wm_leak_sum wm_leak_parts_sum(const struct wm_leak_parts *l,
				     size_t first, size_t last)
{
	struct wm_leak_sum sum = { 0, 0 };

	for (const struct wm_functions *f = &l->part[first];
	     f <= &l->part[last]; f++) {
		sum.bytes += f->bytes;
		for (size_t i = 0; i < f->held_count; i++)
			if (!l->a->use[f->held[i].path].maker)
				sum.blocks += f->held[i].blocks;
	}
	return sum;
}

static void split_uses(struct wm_leak_parts *l, struct wm_use *use)
{
	const struct wm_analysis *a = l->a;
	size_t n = a->paths.path_count, i;

	for (i = 0; i < n; i++) {
		const struct wm_use *u = &a->use[i];
		enum wm_group g;
		size_t k;

		if (!u->end_blocks && !l->handles.of_path[i] &&
		    !(u->maker &&
		      wm_handles_is_unknown(&l->handles, (uint32_t)i)))
			continue;
		g = wm_handles_group(&l->handles, a, (uint32_t)i);
		l->group[i] = (uint8_t)(g + 1);
		k = g == WM_GROUP_none ? WM_LEAK_OWN :
		    wm_handles_is_unknown(&l->handles, (uint32_t)i) ?
					 WM_LEAK_UNKNOWN :
					 WM_LEAK_RUNTIME;
		use[k * n + i].peak_bytes = wm_handles_bytes(&l->handles,
							     a->use, i);
		use[k * n + i].peak_blocks = wm_handles_blocks(&l->handles,
							       a->use, i);
		k = k == WM_LEAK_OWN ? WM_LEAK_HELD : WM_LEAK_HELD_RUNTIME;
		use[k * n + i].peak_bytes = u->held_bytes;
		use[k * n + i].peak_blocks = u->held_blocks;
	}
}

/* A chosen rank that was cut holds all its memory. */
static enum wm_status find_held_trends(struct wm_leak_parts *l,
				       struct wm_err *err)
{
	const struct wm_analysis *a = l->a;

	if (!l->held_trend)
		return wm_no_memory(err, NULL);
	if (a->chosen != WM_ALL_RANKS) {
		memcpy(l->held_trend, l->handles.trend, a->paths.path_count);
		return WM_OK;
	}
	return wm_trends_find(l->held_trend, a, a->use, a->sum.held,
			      a->sum.held_count, WM_LEFT_HELD, err);
}

static enum wm_status make_parts(struct wm_leak_parts *l,
				 const struct wm_use *use, bool fold,
				 struct wm_err *err)
{
	size_t n = l->a->paths.path_count, k;
	enum wm_status s = WM_OK;

	for (k = 0; k < WM_LEAK_PARTS && !s; k++)
		s = wm_functions_of(&l->part[k], l->a, use + k * n, err);
	for (k = 0; k < WM_LEAK_PARTS; k++) {
		l->part[k].moment = WM_AT_END;
		if (!s && fold)
			s = wm_forwarders_apply(&l->part[k], l->a, err);
		if (!s && k <= WM_LEAK_UNKNOWN)
			s = wm_handles_apply(&l->handles, &l->part[k], l->a,
					     err);
	}
	return s;
}

enum wm_status wm_leak_parts_make(struct wm_leak_parts *l,
				  const struct wm_analysis *a,
				  const struct wm_opts *o, bool fold,
				  struct wm_err *err)
{
	size_t n = a->paths.path_count;
	struct wm_use *use = calloc(WM_LEAK_PARTS * n, sizeof(*use));
	enum wm_status s = WM_OK;

	memset(l, 0, sizeof(*l));
	l->a = wm_sum_view(&l->view, a, o->rank_given);
	l->group = calloc(n, 1);
	l->held_trend = calloc(n, 1);
	if (!use || !l->group)
		s = wm_no_memory(err, NULL);
	if (!s && l->a->chosen == WM_ALL_RANKS)
		s = wm_share_sum_init(&l->sum, a->sum.rank, a->sum.ranks, err);
	if (!s)
		s = wm_handles_find(&l->handles, l->a, l->a->use,
				    l->a->lifetime, l->a->lifetime_count, err);
	if (!s)
		s = find_held_trends(l, err);
	if (!s) {
		split_uses(l, use);
		s = make_parts(l, use, fold, err);
	}
	free(use);
	if (s)
		wm_leak_parts_release(l);
	return s;
}

struct wm_lifetime wm_leak_part_lifetime(const struct wm_leak_parts *l,
					 const struct wm_function *f,
					 size_t part)
{
	const struct wm_analysis *a = l->a;
	bool held = a->chosen == WM_ALL_RANKS && part >= WM_LEAK_HELD;
	const struct wm_lifetime *of = held ? a->sum.held : a->lifetime;
	size_t count = held ? a->sum.held_count : a->lifetime_count, k;
	struct wm_lifetime lifetime = { .left = 0 };

	for (k = 0; of && k < f->held_count; k++)
		if (f->held[k].path < count)
			wm_lifetime_add(&lifetime, &of[f->held[k].path]);
	return lifetime;
}
