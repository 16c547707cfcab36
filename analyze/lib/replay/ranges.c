/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/replay/pass.h"
#include "wm/search.h"

#define PAGE 64 /* ranges of a page */

struct wm_range_page {
	unsigned count;
	struct wm_range at[PAGE];
};

typedef bool before_fn(const struct wm_range *x, const struct wm_range *key);

static bool is_below(const struct wm_range *x, const struct wm_range *key)
{
	return x->end <= key->start;
}

static bool is_older(const struct wm_range *x, const struct wm_range *key)
{
	if (x->origin != key->origin)
		return x->origin < key->origin;
	if (x->family != key->family)
		return x->family < key->family;
	return x->start < key->start;
}

struct position {
	size_t page;
	unsigned at;
};

/* Returns the place of the first range that is not before @key. */
static struct position seek_range(const struct wm_range_list *l,
				  before_fn *before, const struct wm_range *key)
{
	struct position p = { .at = 0 };
	struct wm_range_page *const *page = l->page;

	p.page = WM_FIRST(i, l->pages,
			  !before(&page[i]->at[page[i]->count - 1], key));
	if (p.page < l->pages)
		p.at = (unsigned)WM_FIRST(i, page[p.page]->count,
					  !before(&page[p.page]->at[i], key));
	return p;
}

static struct wm_range *range_at(const struct wm_range_list *l,
				 struct position p)
{
	return p.page < l->pages ? &l->page[p.page]->at[p.at] : NULL;
}

static int add_page(struct wm_range_list *l, size_t i)
{
	struct wm_range_page *g = malloc(sizeof(*g)), **page;

	page = g ? WM_ROOM(l->page, l->cap, l->pages + 1) : NULL;
	if (!page) {
		free(g);
		return -1;
	}
	g->count = 0;
	memmove(page + i + 1, page + i, (l->pages++ - i) * sizeof(*page));
	page[i] = g;
	return 0;
}

static void drop_page(struct wm_range_list *l, size_t i)
{
	free(l->page[i]);
	memmove(l->page + i, l->page + i + 1,
		(--l->pages - i) * sizeof(*l->page));
}

static void move_ranges(struct wm_range_page *to, struct wm_range_page *from,
			unsigned at)
{
	memcpy(&to->at[to->count], &from->at[at],
	       (from->count - at) * sizeof(*to->at));
	to->count += from->count - at;
	from->count = at;
}

static int insert_range(struct wm_range_list *l, before_fn *before,
			const struct wm_range *x)
{
	struct position p = seek_range(l, before, x);
	struct wm_range_page *g;

	if (p.page == l->pages && p.page) {
		p.page--;
		p.at = l->page[p.page]->count;
	}
	if (p.page == l->pages && add_page(l, p.page))
		return -1;
	if (l->page[p.page]->count == PAGE) {
		if (add_page(l, p.page + 1))
			return -1;
		move_ranges(l->page[p.page + 1], l->page[p.page], PAGE / 2);
		if (p.at > PAGE / 2) {
			p.at -= PAGE / 2;
			p.page++;
		}
	}
	g = l->page[p.page];
	memmove(&g->at[p.at + 1], &g->at[p.at],
		(g->count++ - p.at) * sizeof(*g->at));
	g->at[p.at] = *x;
	return 0;
}

/* Neighbouring pages that are half full together are joined. */
static void take_range(struct wm_range_list *l, struct position p)
{
	struct wm_range_page *g = l->page[p.page];
	size_t left = p.page ? p.page - 1 : 0;

	memmove(&g->at[p.at], &g->at[p.at + 1],
		(--g->count - p.at) * sizeof(*g->at));
	if (left + 1 < l->pages &&
	    l->page[left]->count + l->page[left + 1]->count <= PAGE / 2) {
		move_ranges(l->page[left], l->page[left + 1], 0);
		drop_page(l, left + 1);
	} else if (!g->count) {
		drop_page(l, p.page);
	}
}

static void list_release(struct wm_range_list *l)
{
	while (l->pages)
		free(l->page[--l->pages]);
	free(l->page);
}

void wm_ranges_release(struct wm_ranges *r)
{
	list_release(&r->by_addr);
	list_release(&r->by_origin);
	memset(r, 0, sizeof(*r));
}

struct wm_range *wm_ranges_find(const struct wm_ranges *r, uint64_t addr)
{
	struct wm_range key = { .start = addr };

	return range_at(&r->by_addr, seek_range(&r->by_addr, is_below, &key));
}

struct wm_range *wm_ranges_of(const struct wm_ranges *r, uint64_t origin,
			      uint8_t family)
{
	struct wm_range key = { .origin = origin, .family = family };
	const struct wm_range *x = range_at(&r->by_origin,
					    seek_range(&r->by_origin, is_older,
						       &key));

	return x && x->origin == origin && x->family == family ?
		       wm_ranges_find(r, x->start) :
		       NULL;
}

bool wm_ranges_touch(const struct wm_ranges *r, uint64_t start, uint64_t end)
{
	const struct wm_range *x = wm_ranges_find(r, start);

	return x && x->start < end;
}

/* Returns whether the range is released by its origin. */
static bool has_origin(const struct wm_range *x)
{
	return x->family == WM_FAMILY_shm || x->family == WM_FAMILY_stacks;
}

int wm_ranges_put(struct wm_ranges *r, const struct wm_range *x)
{
	if (has_origin(x) && insert_range(&r->by_origin, is_older, x))
		return -1;
	if (insert_range(&r->by_addr, is_below, x))
		return -1;
	r->count++;
	return 0;
}

void wm_ranges_remove(struct wm_ranges *r, const struct wm_range *x)
{
	const struct wm_range key = *x;

	take_range(&r->by_addr, seek_range(&r->by_addr, is_below, &key));
	if (has_origin(&key))
		take_range(&r->by_origin,
			   seek_range(&r->by_origin, is_older, &key));
	r->count--;
}
