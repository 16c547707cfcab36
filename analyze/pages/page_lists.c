/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_lists.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "wm/search.h"

bool wm_page_list_add(struct wm_page_set *list, uint64_t first, uint64_t end)
{
	struct wm_page_range *r;

	if (list->count) {
		r = &list->range[list->count - 1];
		if (r->first <= first && end <= r->end)
			return true;
	}
	r = WM_MORE(list->range, list->cap, list->count);
	if (!r)
		return false;
	*r = (struct wm_page_range){ first, end };
	list->count++;
	return true;
}

static int by_first(const void *a, const void *b)
{
	const struct wm_page_range *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->first, y->first), WM_ORDER(x->end, y->end));
}

void wm_page_list_sort(struct wm_page_set *list)
{
	size_t n = 0;

	WM_SORT(list->range, list->count, by_first);
	for (size_t i = 0; i < list->count; i++) {
		struct wm_page_range r = list->range[i];

		if (n && r.first <= list->range[n - 1].end)
			wm_raise(&list->range[n - 1].end, r.end);
		else
			list->range[n++] = r;
	}
	list->count = n;
}

bool wm_page_list_difference(struct wm_page_set *to,
			     const struct wm_page_set *a,
			     const struct wm_page_set *b)
{
	struct wm_page_edges x = { a, 0 }, y = { b, 0 };
	struct wm_page_range r = { 0, 0 };

	while (wm_page_difference(&x, &y, &r))
		if (!wm_page_list_add(to, r.first, r.end))
			return false;
	return true;
}

bool wm_page_set_copy(struct wm_page_set *to, const struct wm_page_set *from)
{
	if (!WM_ROOM(to->range, to->cap, from->count + 1))
		return false;
	to->count = from->count;
	to->pages = from->pages;
	if (from->count)
		memcpy(to->range, from->range,
		       from->count * sizeof(*to->range));
	return true;
}

bool wm_page_edges_has(struct wm_page_edges *b, uint64_t page, uint64_t *end)
{
	uint64_t at;

	while ((at = wm_page_edge(b)) <= page)
		b->i++;
	wm_lower(end, at);
	return b->i & 1;
}
