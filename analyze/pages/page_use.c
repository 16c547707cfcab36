/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_use.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

/* Far more than a program has; a small file shall not ask for more. */
#define MOST_STRETCHES ((size_t)16 << 20)
#define SWEEP 4096 /* fewer stretches are not worth it */

enum wm_status wm_page_use_init(struct wm_page_use *u, unsigned shift,
				struct wm_err *err)
{
	memset(u, 0, sizeof(*u));
	u->shift = shift;
	u->now = 1;
	for (uint32_t i = 0; i < WM_PAGE_OTHERS; i++)
		if (wm_page_use_owner(u, 0, i) != i)
			return wm_no_memory(err, NULL);
	return WM_OK;
}

void wm_page_use_release(struct wm_page_use *u)
{
	for (size_t i = 0; i < u->owners; i++)
		free(u->owner[i].in_epoch);
	free(u->owner);
	free(u->hit);
	wm_page_map_release(&u->map);
	memset(u, 0, sizeof(*u));
}

uint32_t wm_page_use_owner(struct wm_page_use *u, uint8_t kind, uint32_t key)
{
	struct wm_page_owner *o = WM_MORE(u->owner, u->owner_cap, u->owners);

	if (!o || u->owners >= UINT32_MAX)
		return UINT32_MAX;
	o->kind = kind;
	o->key = key;
	return (uint32_t)u->owners++;
}

/* ---- blocks ---- */

static uint32_t least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

/* In this epoch there was no more of it than now. */
static void begin_part(const struct wm_page_use *u, struct wm_page_part *p)
{
	if (p->epoch == u->now)
		return;
	p->epoch = u->now;
	p->most = p->now;
}

/* Bytes of a block that came in @since are more or less on pages of @s. */
static bool change_part(struct wm_page_use *u, struct wm_page_stretch *s,
			uint32_t owner, uint32_t bytes, uint32_t since,
			bool gain)
{
	struct wm_page_part *p = wm_page_part_of(s, owner);
	uint64_t pages = s->end - s->first;
	bool touched = s->accessed && s->accessed >= since;
	bool written = s->written && s->written >= since;
	struct wm_page_owner *o = &u->owner[owner];

	if (!p)
		return false;
	begin_part(u, p);
	o->touched_now -= p->touched * pages;
	o->written_now -= p->written * pages;
	if (gain) {
		bytes = least(bytes, UINT32_MAX - p->now);
		p->now += bytes;
		p->touched += touched ? bytes : 0;
		p->written += written ? bytes : 0;
		if (p->most < p->now)
			p->most = p->now;
	} else {
		bytes = least(bytes, p->now);
		p->now -= bytes;
		p->touched -= touched ? least(bytes, p->touched) : 0;
		p->written -= written ? least(bytes, p->written) : 0;
		p->touched = least(p->touched, p->now);
		p->written = least(p->written, p->now);
	}
	o->touched_now += p->touched * pages;
	o->written_now += p->written * pages;
	return true;
}

/*
 * Bring @p to a stretch that begins at @page and does not end behind @end;
 * where there is none, it is made.
 */
static bool bring_stretch(struct wm_page_use *u, struct wm_page_place *p,
			  uint64_t page, uint64_t end)
{
	struct wm_page_stretch *s;

	*p = wm_page_map_seek(&u->map, *p, page);
	s = wm_page_map_at(&u->map, *p);
	if (!s || s->first > page) {
		if (s && s->first < end)
			end = s->first;
		return wm_page_map_insert(&u->map, p, page, end);
	}
	if (s->first < page) {
		if (!wm_page_map_cut(&u->map, p, page))
			return false;
		*p = wm_page_map_next(&u->map, *p);
		s = wm_page_map_at(&u->map, *p);
	}
	return s->end <= end || wm_page_map_cut(&u->map, p, end);
}

/* @bytes more or less on each page of [@first, @end). */
static enum wm_status change_pages(struct wm_page_use *u, uint32_t owner,
				   uint64_t first, uint64_t end, uint64_t bytes,
				   uint32_t since, bool gain,
				   struct wm_err *err)
{
	struct wm_page_place p;

	if (!bytes || first >= end)
		return WM_OK;
	if (u->map.count > MOST_STRETCHES)
		return wm_err_set(err, WM_BAD_INPUT,
				  "blocks lie on too many pages");
	p = wm_page_map_find(&u->map, first);
	while (first < end) {
		struct wm_page_stretch *s;

		if (!bring_stretch(u, &p, first, end))
			return wm_no_memory(err, NULL);
		s = wm_page_map_at(&u->map, p);
		first = s->end;
		if (!change_part(u, s, owner, (uint32_t)bytes, since, gain))
			return wm_no_memory(err, NULL);
		wm_page_map_join(&u->map, &p, u->now);
	}
	return WM_OK;
}

/* The first page, those within, the last page. */
static enum wm_status change_block(struct wm_page_use *u, uint32_t owner,
				   uint64_t addr, uint64_t bytes,
				   uint32_t since, bool gain,
				   struct wm_err *err)
{
	uint64_t size = UINT64_C(1) << u->shift, end = addr + bytes;
	uint64_t first = addr >> u->shift, last = end >> u->shift;
	enum wm_status r;

	if (end < addr)
		return WM_OK;
	if (first == last)
		return change_pages(u, owner, first, first + 1, bytes, since,
				    gain, err);
	r = change_pages(u, owner, first, first + 1, size - (addr & (size - 1)),
			 since, gain, err);
	if (!r)
		r = change_pages(u, owner, first + 1, last, size, since, gain,
				 err);
	return r ? r :
		   change_pages(u, owner, last, last + 1, end & (size - 1),
				since, gain, err);
}

enum wm_status wm_page_use_gain(struct wm_page_use *u, uint32_t owner,
				uint64_t addr, uint64_t bytes, uint32_t since,
				struct wm_err *err)
{
	struct wm_page_owner *o = &u->owner[owner];

	o->alive += bytes;
	if (o->most < o->alive)
		o->most = o->alive;
	return change_block(u, owner, addr, bytes, since, true, err);
}

enum wm_status wm_page_use_lose(struct wm_page_use *u, uint32_t owner,
				uint64_t addr, uint64_t bytes, uint32_t since,
				struct wm_err *err)
{
	u->owner[owner].alive -= bytes;
	return change_block(u, owner, addr, bytes, since, false, err);
}

/* ---- epochs ---- */

static struct wm_page_owner *hit_owner(struct wm_page_use *u, uint32_t owner)
{
	struct wm_page_owner *o = &u->owner[owner];
	uint32_t *hit;

	if (o->hit)
		return o;
	hit = wm_grow(u->hit, &u->hit_cap, u->hits + 1, sizeof(*hit));
	if (!hit)
		return NULL;
	u->hit = hit;
	hit[u->hits++] = owner;
	o->hit = true;
	return o;
}

/* What covers @page, and where that ends; asked for in order. */
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

/* Nobody has bytes on the pages of @s. */
static bool count_others(struct wm_page_use *u, const struct wm_page_stretch *s,
			 bool write)
{
	uint64_t page = s->first, end, bytes;

	for (; page < s->end; page = end) {
		enum wm_page_other k = cover_of(u, page, &end);
		struct wm_page_owner *o = hit_owner(u, k);

		if (!o)
			return false;
		if (end > s->end)
			end = s->end;
		bytes = (end - page) << u->shift;
		if (write) {
			o->written_page_epochs += end - page;
			o->written_now += s->written ? 0 : bytes;
			o->last_write = u->now;
			continue;
		}
		o->accessed += bytes;
		o->page_epochs += end - page;
		o->touched_now += s->accessed ? 0 : bytes;
	}
	return true;
}

static bool count_access(struct wm_page_use *u, const struct wm_page_stretch *s,
			 struct wm_page_part *p, uint64_t pages)
{
	struct wm_page_owner *o = hit_owner(u, p->owner);

	if (!o)
		return false;
	o->accessed += p->most * pages;
	o->page_epochs += pages;
	o->shared_page_epochs += s->parts > 1 ? pages : 0;
	o->touched_now += (p->now - p->touched) * pages;
	o->touched_high += (p->most - p->now) * pages;
	p->touched = p->now;
	return true;
}

static bool count_write(struct wm_page_use *u, struct wm_page_part *p,
			uint64_t pages)
{
	struct wm_page_owner *o = hit_owner(u, p->owner);

	if (!o)
		return false;
	o->written_page_epochs += pages;
	o->written_now += (p->now - p->written) * pages;
	o->written_high += (p->most - p->now) * pages;
	o->last_write = u->now;
	p->written = p->now;
	return true;
}

/* All pages of @s were accessed, or written. */
static bool count_stretch(struct wm_page_use *u, struct wm_page_stretch *s,
			  bool write)
{
	uint64_t pages = s->end - s->first;
	uint32_t *stamp = write ? &s->written : &s->accessed;

	for (uint32_t i = 0; i < s->parts; i++) {
		struct wm_page_part *p = &wm_page_parts(s)[i];

		if (!p->now && p->epoch != u->now)
			wm_page_part_remove(s, i--);
		else
			begin_part(u, p);
	}
	for (uint32_t i = 0; i < s->parts; i++) {
		struct wm_page_part *p = &wm_page_parts(s)[i];

		if (write ? !count_write(u, p, pages) :
			    !count_access(u, s, p, pages))
			return false;
	}
	if (!s->parts && !count_others(u, s, write))
		return false;
	if (!write) {
		u->page_epochs += pages;
		u->shared_page_epochs += s->parts > 1 ? pages : 0;
		u->touched_pages += s->accessed ? 0 : pages;
	} else {
		u->written_pages += s->written ? 0 : pages;
	}
	*stamp = u->now;
	return true;
}

static bool count_set(struct wm_page_use *u, const struct wm_page_set *set,
		      bool write)
{
	struct wm_page_place p = { 0, 0 };

	u->covered_at = 0;
	for (size_t i = 0; i < set->count; i++) {
		uint64_t page = set->range[i].first, end = set->range[i].end;

		while (page < end) {
			struct wm_page_stretch *s;

			if (!bring_stretch(u, &p, page, end))
				return false;
			s = wm_page_map_at(&u->map, p);
			page = s->end;
			if (!count_stretch(u, s, write))
				return false;
			wm_page_map_join(&u->map, &p, u->now);
		}
	}
	return true;
}

static bool settle_owner(struct wm_page_use *u, struct wm_page_owner *o)
{
	uint64_t *more;

	o->hit = false;
	if (o->touched < o->touched_now + o->touched_high)
		o->touched = o->touched_now + o->touched_high;
	if (o->written < o->written_now + o->written_high)
		o->written = o->written_now + o->written_high;
	o->last = u->now;
	if (!o->first)
		o->first = u->now;
	more = wm_grow(o->in_epoch, &o->epoch_cap, o->epochs + 1,
		       sizeof(*more));
	if (!more)
		return false;
	o->in_epoch = more;
	more[o->epochs++] = o->accessed;
	o->accessed = o->touched_high = o->written_high = 0;
	return true;
}

/* Take away what says nothing any more. */
static void sweep(struct wm_page_use *u)
{
	struct wm_page_place p = { 0, 0 };
	struct wm_page_stretch *s;

	while ((s = wm_page_map_at(&u->map, p))) {
		for (uint32_t i = 0; i < s->parts; i++)
			if (!wm_page_parts(s)[i].now)
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

enum wm_status wm_page_use_epoch(struct wm_page_use *u,
				 const struct wm_page_set *accessed,
				 const struct wm_page_set *written,
				 struct wm_err *err)
{
	bool good = count_set(u, accessed, false) &&
		    count_set(u, written, true);

	for (size_t i = 0; i < u->hits && good; i++)
		good = settle_owner(u, &u->owner[u->hit[i]]);
	u->hits = 0;
	u->now++;
	if (!good)
		return wm_no_memory(err, NULL);
	if (u->map.count > 2 * u->swept + SWEEP)
		sweep(u);
	return WM_OK;
}

/* ---- what is covered ---- */

static void count_watched(struct wm_page_use *u,
			  const struct wm_page_stretch *s, uint64_t pages)
{
	const struct wm_page_part *p = s->part ? s->part : &s->one;

	for (uint32_t i = 0; i < s->parts; i++)
		u->owner[p[i].owner].counted += p[i].now * pages;
}

void wm_page_use_cover(struct wm_page_use *u, const struct wm_covered *covered,
		       size_t count)
{
	struct wm_page_place p = { 0, 0 };
	struct wm_page_stretch *s;

	u->covered = covered;
	u->covered_count = count;
	for (size_t i = 0; i < count; i++) {
		struct wm_page_range r = covered[i].range;

		p = wm_page_map_seek(&u->map, p, r.first);
		for (; (s = wm_page_map_at(&u->map, p)) && s->first < r.end;
		     p = wm_page_map_next(&u->map, p)) {
			uint64_t first = s->first > r.first ? s->first :
							      r.first;
			uint64_t end = s->end < r.end ? s->end : r.end;

			count_watched(u, s, end - first);
			if (s->end > r.end)
				break; /* the next range may be in it, too */
		}
	}
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		if (o->watched < o->counted)
			o->watched = o->counted;
		o->counted = 0;
	}
}

/* ---- the end ---- */

static void end_part(struct wm_page_use *u, const struct wm_page_stretch *s,
		     const struct wm_page_part *p, uint32_t half)
{
	struct wm_page_owner *o = &u->owner[p->owner];
	uint64_t pages = s->end - s->first;

	o->end += p->now * pages;
	o->end_untouched += (p->now - p->touched) * pages;
	if (s->accessed <= half) {
		o->cold += p->touched * pages;
		if (p->touched && o->cold_since < s->accessed)
			o->cold_since = s->accessed;
	} else if (s->written <= half) {
		o->read_only += p->touched * pages;
		if (p->touched && o->read_only_since < s->written)
			o->read_only_since = s->written;
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Of @epochs epochs; those without an access have 0. */
static void finish_owner(struct wm_page_owner *o, uint32_t epochs)
{
	size_t none = epochs - o->epochs, middle = (epochs - 1) / 2;

	if (o->last == epochs && o->epochs)
		o->last_epoch = o->in_epoch[o->epochs - 1];
	if (o->epochs)
		qsort(o->in_epoch, o->epochs, sizeof(*o->in_epoch), by_value);
	if (epochs && middle >= none)
		o->median_epoch = o->in_epoch[middle - none];
	free(o->in_epoch);
	o->in_epoch = NULL;
	o->epochs = o->epoch_cap = 0;
}

/* What the epochs say together can not be more than there was. */
static void cap_owner(struct wm_page_owner *o)
{
	if (o->touched > o->most)
		o->touched = o->most;
	if (o->written > o->touched)
		o->written = o->touched;
	if (o->watched < o->touched)
		o->watched = o->touched;
	if (o->watched > o->most)
		o->watched = o->most;
}

void wm_page_use_finish(struct wm_page_use *u)
{
	struct wm_page_place p = { 0, 0 };
	uint32_t epochs = u->now - 1;
	struct wm_page_stretch *s;

	for (; (s = wm_page_map_at(&u->map, p));
	     p = wm_page_map_next(&u->map, p))
		for (uint32_t i = 0; i < s->parts; i++)
			end_part(u, s, &wm_page_parts(s)[i], epochs / 2);
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		if (i < WM_PAGE_OTHERS)
			o->most = o->watched = o->touched;
		finish_owner(o, epochs);
		cap_owner(o);
	}
}
