/* SPDX-License-Identifier: Apache-2.0 */
/* Counts pages at the end of an epoch of page_use.h, and after the last one. */
#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/pages/page_lists.h"
#include "analyze/pages/page_past.h"
#include "analyze/pages/page_use.h"
#include "wm/search.h"

#define SWEEP 4096 /* new stretches that are worth a sweep */

/* ---- epochs ---- */

/* Returns the kind of memory that covers @page, and its end.  Pages ascend. */
static enum wm_page_other cover_of(struct wm_page_use *u, uint64_t page,
				   uint64_t *end)
{
	static const uint8_t other[] = {
		[WMT_COVERED_BREAK] = WM_PAGE_OTHER_BREAK,
		[WMT_COVERED_MAPPING] = WM_PAGE_OTHER_MAPPING,
		[WMT_COVERED_STATIC] = WM_PAGE_OTHER_STATIC,
		[WMT_COVERED_TLS] = WM_PAGE_OTHER_TLS,
		[WMT_COVERED_STACK] = WM_PAGE_OTHER_STACK,
	};
	const struct wm_covered *c;

	while (u->covered_at < u->covered_count &&
	       u->covered[u->covered_at].range.end <= page)
		u->covered_at++;
	*end = UINT64_MAX;
	if (u->covered_at == u->covered_count)
		return WM_PAGE_OTHER;
	c = &u->covered[u->covered_at];
	*end = c->range.first > page ? c->range.first : c->range.end;
	return c->range.first > page || c->kind >= sizeof(other) ?
		       WM_PAGE_OTHER :
		       other[c->kind];
}

static void uncount_stretch(struct wm_page_use *u, struct wm_page_stretch *s)
{
	uint64_t pages = s->end - s->first;
	struct wm_page_owner *o;

	for (uint32_t i = 0; i < s->parts; i++) {
		struct wm_page_part *p = &wm_page_parts(s)[i];

		if (!p->in)
			continue;
		o = &u->owner[p->owner];
		o->accessed -= p->counted * pages;
		o->pages -= pages;
		o->shared_pages -= s->shared ? pages : 0;
		o->written_pages -= p->in_written ? pages : 0;
		p->counted = 0;
		p->in = p->in_written = false;
	}
	if (s->other) {
		o = &u->owner[s->other - 1];
		o->accessed -= pages << u->shift;
		o->pages -= pages;
		o->written_pages -= s->in_written ? pages : 0;
	}
	u->shared_pages -= s->shared ? pages : 0;
	s->shared = false;
	s->other = 0;
}

/* Counts pages of @s without owners; one range covers all of them, or none. */
static bool count_other(struct wm_page_use *u, struct wm_page_stretch *s,
			enum wm_page_other other, bool write, bool fresh,
			bool fresh_write)
{
	uint64_t pages = s->end - s->first, bytes = pages << u->shift;
	struct wm_page_owner *o = wm_page_use_active(u, other);

	if (!o)
		return false;
	s->other = (uint8_t)(other + 1);
	o->accessed += bytes;
	o->pages += pages;
	o->written_pages += write ? pages : 0;
	o->touched_now += fresh ? bytes : 0;
	o->written_now += fresh_write ? bytes : 0;
	return true;
}

static bool count_part(struct wm_page_use *u, const struct wm_page_stretch *s,
		       struct wm_page_part *p, bool write)
{
	struct wm_page_owner *o = wm_page_use_active(u, p->owner);
	uint64_t pages = s->end - s->first;

	if (!o)
		return false;
	p->counted = p->most;
	p->in = true;
	p->in_written = write;
	o->accessed += p->most * pages;
	o->pages += pages;
	o->shared_pages += s->shared ? pages : 0;
	o->touched_now += (p->now - p->touched) * pages;
	o->touched_high += (p->most - p->now) * pages;
	p->touched = p->now;
	if (!write)
		return true;
	o->written_pages += pages;
	o->written_now += (p->now - p->written) * pages;
	o->written_high += (p->most - p->now) * pages;
	p->written = p->now;
	return true;
}

/* Removes parts without bytes in this epoch.  Returns true if another part has
 * fewer bytes at the end of the epoch than during the epoch. */
static bool settle_parts(struct wm_page_use *u, struct wm_page_stretch *s)
{
	bool less = false;

	for (uint32_t i = 0; i < s->parts; i++) {
		struct wm_page_part *p = &wm_page_parts(s)[i];

		wm_page_part_begin(p, u->now);
		less |= p->most > p->now;
		if (!p->most)
			wm_page_part_remove(s, i--);
	}
	return less;
}

/* Counts the pages of @s; @in and @write are valid for this epoch. */
static bool recount_stretch(struct wm_page_use *u, struct wm_page_stretch *s,
			    bool in, bool write, enum wm_page_other other)
{
	bool fresh = in && !s->accessed, fresh_write = write && !s->written;
	uint64_t pages = s->end - s->first;

	uncount_stretch(u, s);
	if (settle_parts(u, s) &&
	    !wm_page_list_add(&u->later, s->first, s->end))
		return false;
	s->accessed = in ? u->now : wm_page_last_access(u, s);
	s->written = write ? u->now : wm_page_last_write(u, s);
	s->in = in;
	s->in_written = write;
	u->touched_pages += fresh ? pages : 0;
	u->written_pages += fresh_write ? pages : 0;
	if (!in)
		return true;
	s->shared = s->parts > 1;
	u->shared_pages += s->shared ? pages : 0;
	for (uint32_t i = 0; i < s->parts; i++)
		if (!count_part(u, s, &wm_page_parts(s)[i], write))
			return false;
	return s->parts || count_other(u, s, other, write, fresh, fresh_write);
}

static bool recount(struct wm_page_use *u, const struct wm_page_set *accessed,
		    const struct wm_page_set *written)
{
	struct wm_page_edges a = { accessed, 0 }, w = { written, 0 };
	struct wm_page_place p = { 0, 0 };

	u->covered_at = 0;
	for (size_t i = 0; i < u->work.count; i++) {
		uint64_t page = u->work.range[i].first;

		while (page < u->work.range[i].end) {
			uint64_t end = u->work.range[i].end, cover;
			bool in = wm_page_edges_has(&a, page, &end);
			bool write = wm_page_edges_has(&w, page, &end) && in;
			enum wm_page_other o = cover_of(u, page, &cover);
			struct wm_page_stretch *s;

			wm_lower(&end, cover);
			if (!wm_page_map_bring(&u->map, &p, page, end))
				return false;
			s = wm_page_map_at(&u->map, p);
			page = s->end;
			if (!recount_stretch(u, s, in, write, o))
				return false;
			wm_page_map_join(&u->map, &p, u->now);
		}
	}
	return true;
}

static bool settle_owner(struct wm_page_use *u, struct wm_page_owner *o,
			 uint64_t weight)
{
	wm_raise(&o->touched, o->touched_now + o->touched_high);
	wm_raise(&o->written, o->written_now + o->written_high);
	o->touched_high = o->written_high = 0;
	if (!o->pages)
		return true;
	o->page_epochs += o->pages;
	o->byte_time += (double)o->accessed * (double)weight;
	o->written_page_epochs += o->written_pages;
	o->shared_page_epochs += o->shared_pages;
	o->last = u->now;
	if (o->written_pages)
		o->last_write = u->now;
	if (!o->first)
		o->first = u->now;
	if (!WM_MORE(o->in_epoch, o->epoch_cap, o->epochs))
		return false;
	o->in_epoch[o->epochs++] = (struct wm_page_share){ o->accessed,
							   weight };
	return true;
}

static bool settle_owners(struct wm_page_use *u, uint64_t weight)
{
	size_t n = 0;

	for (size_t i = 0; i < u->actives; i++) {
		struct wm_page_owner *o = &u->owner[u->active[i]];

		if (!settle_owner(u, o, weight))
			return false;
		o->active = o->pages != 0;
		if (o->active)
			u->active[n++] = u->active[i];
	}
	u->actives = n;
	return true;
}

/* Removes stretches and parts that have no effect any more. */
static void sweep(struct wm_page_use *u)
{
	struct wm_page_place p = { 0, 0 };
	struct wm_page_stretch *s;

	while ((s = wm_page_map_at(&u->map, p))) {
		for (uint32_t i = 0; i < s->parts; i++)
			if (!wm_page_parts(s)[i].now && !wm_page_parts(s)[i].in)
				wm_page_part_remove(s, i--);
		if (!s->parts && !s->accessed) {
			wm_page_map_remove(&u->map, &p);
			continue;
		}
		wm_page_map_join(&u->map, &p, u->now);
		p = wm_page_map_next(&u->map, p);
	}
	u->swept = u->map.count;
}

/* Finds stretches to count again: pages accessed or written in only one of this
 * epoch and the last one, and pages whose blocks changed since. */
static bool find_work(struct wm_page_use *u, const struct wm_page_set *accessed,
		      const struct wm_page_set *written)
{
	struct wm_page_set swap = u->work;

	u->work = u->changed;
	u->changed = u->later;
	u->later = swap;
	u->later.count = 0;
	for (size_t i = 0; i < u->changed.count; i++)
		if (!wm_page_list_add(&u->work, u->changed.range[i].first,
				      u->changed.range[i].end))
			return false;
	u->changed.count = 0;
	if (!wm_page_list_difference(&u->work, accessed, &u->accessed) ||
	    !wm_page_list_difference(&u->work, written, &u->written))
		return false;
	wm_page_list_sort(&u->work);
	return true;
}

static bool add_weight(struct wm_page_use *u, uint64_t weight)
{
	if (!WM_ROOM(u->weight, u->weight_cap, u->now + 1))
		return false;
	u->weight[0] = 0;
	u->weight[u->now] = u->weight[u->now - 1] + weight;
	return true;
}

enum wm_status wm_page_use_epoch(struct wm_page_use *u,
				 const struct wm_page_set *accessed,
				 const struct wm_page_set *written,
				 uint64_t weight, struct wm_err *err)
{
	if (!add_weight(u, weight) ||
	    !wm_page_past_epoch(u, accessed, written) ||
	    !find_work(u, accessed, written) ||
	    !recount(u, accessed, written) || !settle_owners(u, weight) ||
	    !wm_page_set_copy(&u->accessed, accessed) ||
	    !wm_page_set_copy(&u->written, written))
		return wm_no_memory(err, NULL);
	u->page_epochs += accessed->pages;
	u->shared_page_epochs += u->shared_pages;
	u->now++;
	if (u->map.count > 2 * u->swept + SWEEP)
		sweep(u);
	return WM_OK;
}

/* ---- the end ---- */

uint64_t wm_page_use_written_since(const struct wm_page_use *u, uint32_t epoch)
{
	struct wm_page_place p = { 0, 0 };
	const struct wm_page_stretch *s;
	uint64_t pages = 0;

	for (; (s = wm_page_map_at(&u->map, p));
	     p = wm_page_map_next(&u->map, p))
		if (s->written && wm_page_last_write(u, s) >= epoch)
			pages += s->end - s->first;
	return pages;
}

static void end_part(struct wm_page_use *u, const struct wm_page_stretch *s,
		     const struct wm_page_part *p, uint32_t half)
{
	struct wm_page_owner *o = &u->owner[p->owner];
	uint64_t pages = s->end - s->first;

	o->end += p->now * pages;
	o->end_untouched += (p->now - p->touched) * pages;
	wm_page_add_cold(o, p->touched * pages, wm_page_last_access(u, s),
			 wm_page_last_write(u, s), half);
}

static int by_bytes(const void *a, const void *b)
{
	uint64_t x = ((const struct wm_page_share *)a)->bytes;
	uint64_t y = ((const struct wm_page_share *)b)->bytes;

	return WM_ORDER(x, y);
}

/* @all: weight of all @epochs.  An epoch without an access counts as 0
 * bytes. */
static void finish_owner(struct wm_page_owner *o, uint32_t epochs, uint64_t all)
{
	uint64_t so_far = all; /* weight of epochs with less */

	if (o->last == epochs && o->epochs)
		o->last_epoch = o->in_epoch[o->epochs - 1].bytes;
	WM_SORT(o->in_epoch, o->epochs, by_bytes);
	for (size_t i = 0; i < o->epochs; i++)
		so_far -= o->in_epoch[i].weight;
	for (size_t i = 0; i < o->epochs && so_far < all - so_far; i++) {
		o->median_epoch = o->in_epoch[i].bytes;
		so_far += o->in_epoch[i].weight;
	}
	free(o->in_epoch);
	o->in_epoch = NULL;
	o->epochs = o->epoch_cap = 0;
}

/* Sums over epochs cannot exceed the most bytes alive. */
static void cap_owner(struct wm_page_owner *o)
{
	wm_lower(&o->touched, o->most);
	wm_lower(&o->written, o->touched);
	wm_raise(&o->watched, o->touched);
	wm_lower(&o->watched, o->most);
}

/* The untouched bytes of freed blocks and of blocks at the end were not alive
 * together if their sum exceeds the most bytes alive. */
static void find_untouched(struct wm_page_owner *o)
{
	uint64_t past = o->untouched, end = o->end_untouched;

	if (past && past + o->end <= o->most)
		past += end;
	wm_lower(&past, o->most);
	cap_owner(o);
	wm_raise(&o->watched, past);
	o->untouched = o->watched - o->touched;
	wm_raise(&o->untouched, past);
}

enum wm_status wm_page_use_finish(struct wm_page_use *u, struct wm_err *err)
{
	struct wm_page_place p = { 0, 0 };
	uint32_t epochs = u->now - 1, half = 0;
	uint64_t all = epochs ? u->weight[epochs] : 0;
	struct wm_page_stretch *s;

	/* epochs that ended in the first half of the time */
	while (half < epochs && u->weight[half + 1] <= all / 2)
		half++;
	for (; (s = wm_page_map_at(&u->map, p));
	     p = wm_page_map_next(&u->map, p))
		for (uint32_t i = 0; i < s->parts; i++)
			end_part(u, s, &wm_page_parts(s)[i], half);
	if (!wm_page_past_finish(u, half))
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		wm_raise(&o->touched, o->touched_now);
		wm_raise(&o->written, o->written_now);
		if (i < WM_PAGE_OTHERS)
			o->most = o->watched = o->touched;
		finish_owner(o, epochs, all);
		find_untouched(o);
	}
	return WM_OK;
}
