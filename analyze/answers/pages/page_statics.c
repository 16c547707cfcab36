/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/pages/page_statics.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/pages/pages_by_epoch.h"

void wm_page_statics_release(struct wm_page_statics *s)
{
	wm_variables_release(&s->names);
	wm_page_use_release(&s->use);
}

uint64_t wm_page_statics_bias(const struct wm_trace *t)
{
	for (size_t i = 0; i < t->paths.map_count; i++)
		if (t->paths.modules[t->paths.map[i].module].main)
			return t->paths.map[i].bias;
	return 0;
}

static enum wm_status add_variables(struct wm_page_statics *s,
				    const struct wm_trace *t,
				    struct wm_err *err)
{
	uint64_t bias = wm_page_statics_bias(t);
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < s->names.count && !r; i++) {
		const struct wm_variable *v = &s->names.variable[i];
		uint32_t owner = wm_page_use_owner(&s->use, 0, (uint32_t)i);

		if (owner == UINT32_MAX)
			return wm_no_memory(err, NULL);
		r = wm_page_use_gain(&s->use, owner, v->address + bias,
				     v->bytes, s->use.now, err);
	}
	return r;
}

static bool cover_statics(struct wm_page_statics *s, const struct wm_epochs *e,
			  struct wm_covered **list, size_t *count)
{
	struct wm_covered *to = realloc(*list,
					(e->covered_count + 1) * sizeof(*to));

	if (!to)
		return false;
	*list = to;
	*count = 0;
	for (size_t i = 0; i < e->covered_count; i++)
		if (e->covered[i].kind == WMT_COVERED_STATIC)
			to[(*count)++] = e->covered[i];
	wm_page_use_cover(&s->use, to, *count);
	return true;
}

static bool take_part(const struct wm_page_set *set,
		      const struct wm_covered *list, size_t count,
		      struct wm_page_set *part)
{
	wm_page_set_empty(part);
	for (size_t i = 0; i < count; i++) {
		struct wm_page_range r = list[i].range;

		for (size_t k = wm_page_set_find(set, r.first);
		     k < set->count && set->range[k].first < r.end; k++) {
			uint64_t first = set->range[k].first;
			uint64_t end = set->range[k].end;

			if (!wm_page_set_add(part,
					     first > r.first ? first : r.first,
					     end < r.end ? end : r.end))
				return false;
		}
	}
	return true;
}

static enum wm_status go_through(struct wm_page_statics *s,
				 struct wm_page_epochs *x, struct wm_err *err)
{
	const struct wm_epochs *e = &x->e;
	struct wm_page_set accessed = { 0 }, written = { 0 };
	struct wm_covered *list = NULL;
	size_t block = 0, count = 0;
	enum wm_status r;

	while (!(r = wm_page_epochs_next(x, err))) {
		bool good = true;

		if (block != e->block)
			good = cover_statics(s, e, &list, &count);
		block = e->block;
		if (!good || !take_part(&e->accessed, list, count, &accessed) ||
		    !take_part(&e->written, list, count, &written))
			r = wm_no_memory(err, NULL);
		else
			r = wm_page_use_epoch(&s->use, &accessed, &written,
					      wm_epoch_weight(&e->epoch), err);
		if (r)
			break;
	}
	free(list);
	wm_page_set_release(&accessed);
	wm_page_set_release(&written);
	return r == WM_END ? WM_OK : r;
}

static enum wm_status read_trace(struct wm_page_statics *s,
				 const struct wm_analysis *a,
				 struct wm_err *err)
{
	struct wm_page_epochs x;
	enum wm_status r = wm_page_epochs_open(&x, a, err);

	if (r)
		return r;
	r = wm_page_use_init(&s->use, x.t.page_shift ? x.t.page_shift : 12,
			     err);
	if (!r)
		r = add_variables(s, &x.t, err);
	if (!r)
		r = go_through(s, &x, err);
	if (!r)
		r = wm_page_use_finish(&s->use, err);
	wm_page_epochs_release(&x);
	return r;
}

enum wm_status wm_page_statics_make(struct wm_page_statics *s,
				    const struct wm_analysis *a,
				    struct wm_err *err)
{
	const struct wm_rank *rank = &a->ranks[a->chosen];
	const struct wm_page_owner *o = a->pages.owner;
	enum wm_status r;

	memset(s, 0, sizeof(*s));
	if (!a->pages.owners || !o[WM_PAGE_OTHER_STATIC].page_epochs)
		return wm_err_set(err, WM_NOT_FOUND, "no static memory");
	r = wm_variables_read(&s->names, &rank->exe, err);
	if (!r)
		r = read_trace(s, a, err);
	if (r)
		wm_page_statics_release(s);
	return r;
}
