/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/shares.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "wm/search.h"

enum wm_status wm_shares_add(struct wm_shares *s, uint32_t path, size_t index,
			     uint64_t value, struct wm_err *err)
{
	uint32_t *last = WM_ZEROED(s->last, s->last_cap, (size_t)path + 1);
	struct wm_share *run;

	if (!last)
		return wm_no_memory(err, "shares of ranks");
	last += path;
	run = *last ? &s->run[*last - 1] : NULL;
	if (run && run->value == value && run->first + run->count == index) {
		run->count++;
		return WM_OK;
	}
	if (s->count == WM_SHARES_MAX || index >= UINT32_MAX) {
		s->cut = true;
		return WM_OK;
	}
	if (!WM_APPEND(s->run, s->cap, s->count,
		       (struct wm_share){ value, path, (uint32_t)index, 1 }))
		return wm_no_memory(err, "shares of ranks");
	*last = (uint32_t)s->count;
	return WM_OK;
}

static int by_path(const void *a, const void *b)
{
	const struct wm_share *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->path, y->path),
		       WM_ORDER(x->first, y->first));
}

void wm_shares_sort(struct wm_shares *s, const uint32_t *number)
{
	free(s->last);
	s->last = NULL;
	s->last_cap = 0;
	for (size_t i = 0; number && i < s->count; i++)
		s->run[i].path = number[s->run[i].path];
	WM_SORT(s->run, s->count, by_path);
}

void wm_shares_release(struct wm_shares *s)
{
	free(s->run);
	free(s->last);
	memset(s, 0, sizeof(*s));
}

enum wm_status wm_share_sum_init(struct wm_share_sum *t, const uint64_t *rank,
				 size_t ranks, struct wm_err *err)
{
	*t = (struct wm_share_sum){ .rank = rank,
				    .ranks = ranks,
				    .from = ranks };
	t->value = calloc(ranks + 1, sizeof(*t->value));
	t->has = calloc(ranks + 1, 1);
	if (t->value && t->has)
		return WM_OK;
	wm_share_sum_release(t);
	return wm_no_memory(err, "shares of ranks");
}

void wm_share_sum_release(struct wm_share_sum *t)
{
	free(t->value);
	free(t->has);
	memset(t, 0, sizeof(*t));
}

size_t wm_shares_find(const struct wm_shares *s, uint32_t path)
{
	return WM_FIRST(i, s->count, s->run[i].path >= path);
}

void wm_share_sum_add(struct wm_share_sum *t, const struct wm_shares *s,
		      uint32_t path)
{
	t->cut |= s->cut;
	for (size_t i = wm_shares_find(s, path);
	     i < s->count && s->run[i].path == path; i++) {
		const struct wm_share *run = &s->run[i];
		size_t end = (size_t)run->first + run->count;

		wm_lower(&t->from, run->first);
		wm_raise(&t->to, end);
		for (size_t k = run->first; k < end; k++) {
			t->value[k] += run->value;
			t->has[k] = 1;
		}
	}
}

struct wm_shared wm_share_sum_take(struct wm_share_sum *t)
{
	struct wm_shared r = { .at_least = t->cut };

	for (size_t k = t->from; k < t->to; k++) {
		if (!t->has[k])
			continue;
		if (!r.ranks++ || t->value[k] > r.most ||
		    (t->value[k] == r.most && t->rank[k] < r.rank)) {
			r.most = t->value[k];
			r.rank = t->rank[k];
		}
		t->value[k] = 0;
		t->has[k] = 0;
	}
	t->from = t->ranks;
	t->to = 0;
	t->cut = false;
	return r;
}
