/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_use.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "analyze/base/whole.h"
#include "analyze/pages/page_lists.h"
#include "analyze/pages/page_past.h"
#include "wm/search.h"

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

static void free_owner(struct wm_page_owner *o)
{
	free(o->in_epoch);
	free(o->past);
}

void wm_page_use_release(struct wm_page_use *u)
{
	for (size_t i = 0; i < u->owners; i++)
		free_owner(&u->owner[i]);
	free(u->owner);
	free(u->death);
	free(u->active);
	free(u->weight);
	wm_page_set_release(&u->accessed);
	wm_page_set_release(&u->written);
	wm_page_set_release(&u->changed);
	wm_page_set_release(&u->work);
	wm_page_set_release(&u->later);
	wm_page_map_release(&u->map);
	free(u->run);
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

enum change {
	COMES,
	GOES, /* and goes on as another block */
	DIES,
};

/* Bytes of a block that came in @since are more or less on pages of @s. */
static bool change_part(struct wm_page_use *u, struct wm_page_stretch *s,
			uint32_t owner, uint32_t bytes, uint32_t since,
			enum change how)
{
	struct wm_page_part *p = wm_page_part_of(s, owner);
	uint64_t pages = s->end - s->first;
	bool touched = s->accessed && wm_page_last_access(u, s) >= since;
	bool written = s->written && wm_page_last_write(u, s) >= since;
	struct wm_page_owner *o = &u->owner[owner];
	struct wm_page_death death = { s->first, s->end, owner, since, 0, 0 };

	if (!p)
		return false;
	begin_part(u, p);
	o->touched_now -= p->touched * pages;
	o->written_now -= p->written * pages;
	if (how == COMES) {
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
		death.bytes = bytes;
		death.touched = p->touched > p->now;
		p->touched = least(p->touched, p->now);
		p->written = least(p->written, p->now);
	}
	o->touched_now += p->touched * pages;
	o->written_now += p->written * pages;
	return how != DIES || wm_page_past_note(u, &death);
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
				   uint32_t since, enum change how,
				   struct wm_err *err)
{
	struct wm_page_place p;

	if (!bytes || first >= end)
		return WM_OK;
	if (u->map.count > MOST_STRETCHES)
		return wm_err_set(err, WM_BAD_INPUT,
				  "blocks lie on too many pages");
	if (!wm_page_list_add(&u->changed, first, end))
		return wm_no_memory(err, NULL);
	p = wm_page_map_find(&u->map, first);
	while (first < end) {
		struct wm_page_stretch *s;

		if (!bring_stretch(u, &p, first, end))
			return wm_no_memory(err, NULL);
		s = wm_page_map_at(&u->map, p);
		first = s->end;
		if (!change_part(u, s, owner, (uint32_t)bytes, since, how))
			return wm_no_memory(err, NULL);
		wm_page_map_join(&u->map, &p, u->now);
	}
	return WM_OK;
}

/* The pages of [@addr, @end): the first one, those within, the last one. */
struct piece {
	uint64_t first, end;
	uint64_t bytes; /* on each page */
};

static unsigned cut_block(const struct wm_page_use *u, uint64_t addr,
			  uint64_t end, struct piece piece[3])
{
	uint64_t size = UINT64_C(1) << u->shift;
	uint64_t first = addr >> u->shift, last = end >> u->shift;

	if (first == last) {
		piece[0] = (struct piece){ first, first + 1, end - addr };
		return 1;
	}
	piece[0] = (struct piece){ first, first + 1,
				   size - (addr & (size - 1)) };
	piece[1] = (struct piece){ first + 1, last, size };
	piece[2] = (struct piece){ last, last + 1, end & (size - 1) };
	return 3;
}

static enum wm_status change_block(struct wm_page_use *u, uint32_t owner,
				   uint64_t addr, uint64_t bytes,
				   uint32_t since, enum change how,
				   struct wm_err *err)
{
	enum wm_status r = WM_OK;
	struct piece p[3];
	unsigned n = cut_block(u, addr, addr + bytes, p);

	for (unsigned i = 0; i < n && !r && addr + bytes >= addr; i++)
		r = change_pages(u, owner, p[i].first, p[i].end, p[i].bytes,
				 since, how, err);
	return r;
}

enum wm_status wm_page_use_gain(struct wm_page_use *u, uint32_t owner,
				uint64_t addr, uint64_t bytes, uint32_t since,
				struct wm_err *err)
{
	struct wm_page_owner *o = &u->owner[owner];

	o->alive += bytes;
	wm_raise(&o->most, o->alive);
	return change_block(u, owner, addr, bytes, since, COMES, err);
}

enum wm_status wm_page_use_lose(struct wm_page_use *u, uint32_t owner,
				uint64_t addr, uint64_t bytes, uint32_t since,
				bool dies, struct wm_err *err)
{
	u->owner[owner].alive -= bytes;
	return change_block(u, owner, addr, bytes, since, dies ? DIES : GOES,
			    err);
}

/* ---- blocks that move ---- */

static uint32_t part_bytes(const struct wm_page_stretch *s, uint32_t owner,
			   bool written)
{
	const struct wm_page_part *p = s->part ? s->part : &s->one;

	for (uint32_t i = 0; i < s->parts; i++)
		if (p[i].owner == owner)
			return written ? p[i].written : p[i].touched;
	return 0;
}

/* Was the block of @owner that came in @since touched, or written, on pages of
 * @s?  Perhaps before it came there. */
static bool was(const struct wm_page_use *u, const struct wm_page_stretch *s,
		uint32_t owner, uint32_t since, bool written)
{
	uint32_t last = written ? wm_page_last_write(u, s) :
				  wm_page_last_access(u, s);

	if (written ? !s->written : !s->accessed)
		last = 0;
	return (last && last >= since) || part_bytes(s, owner, written);
}

/* The touched ones of the first @bytes bytes of a block, into u->run. */
static bool find_runs(struct wm_page_use *u, const struct wm_page_owned *b,
		      uint64_t bytes, uint32_t since)
{
	uint64_t end = b->addr + bytes;
	struct wm_page_place p = wm_page_map_find(&u->map, b->addr >> u->shift);
	const struct wm_page_stretch *s;

	u->runs = 0;
	for (; (s = wm_page_map_at(&u->map, p)) && s->first << u->shift < end;
	     p = wm_page_map_next(&u->map, p)) {
		uint64_t from = s->first << u->shift, to = s->end << u->shift;
		struct wm_page_run *r;

		if (!was(u, s, b->owner, since, false))
			continue;
		r = WM_MORE(u->run, u->run_cap, u->runs);
		if (!r)
			return false;
		u->runs++;
		*r = (struct wm_page_run){
			from > b->addr ? from - b->addr : 0,
			(to < end ? to : end) - b->addr,
			was(u, s, b->owner, since, true),
		};
	}
	return true;
}

/* @bytes bytes of @owner on each page of [@first, @end) are touched. */
static bool touch_pages(struct wm_page_use *u, uint32_t owner, uint64_t first,
			uint64_t end, uint64_t bytes, bool written)
{
	struct wm_page_owner *o = &u->owner[owner];
	struct wm_page_place p = wm_page_map_find(&u->map, first);

	while (first < end && bytes) {
		struct wm_page_stretch *s;
		struct wm_page_part *q;
		uint32_t more;

		if (!bring_stretch(u, &p, first, end))
			return false;
		s = wm_page_map_at(&u->map, p);
		q = wm_page_part_of(s, owner);
		if (!q)
			return false;
		begin_part(u, q);
		more = least(bytes, q->now - q->touched);
		q->touched += more;
		o->touched_now += more * (s->end - s->first);
		more = written ? least(bytes, q->now - q->written) : 0;
		q->written += more;
		o->written_now += more * (s->end - s->first);
		first = s->end;
		wm_page_map_join(&u->map, &p, u->now);
	}
	return true;
}

/* Bytes [@at, @end) of @owner are touched. */
static bool touch_bytes(struct wm_page_use *u, uint32_t owner, uint64_t at,
			uint64_t end, bool written)
{
	struct piece p[3];
	unsigned n = cut_block(u, at, end, p);
	bool good = true;

	for (unsigned i = 0; i < n && good; i++)
		good = touch_pages(u, owner, p[i].first, p[i].end, p[i].bytes,
				   written);
	return good;
}

static struct wm_page_owner *active_owner(struct wm_page_use *u, uint32_t owner)
{
	struct wm_page_owner *o = &u->owner[owner];

	if (o->active)
		return o;
	if (!WM_MORE(u->active, u->active_cap, u->actives))
		return NULL;
	u->active[u->actives++] = owner;
	o->active = true;
	return o;
}

enum wm_status wm_page_use_move(struct wm_page_use *u,
				const struct wm_page_owned *old, uint32_t since,
				const struct wm_page_owned *block,
				struct wm_err *err)
{
	uint64_t both = old->bytes < block->bytes ? old->bytes : block->bytes;
	enum wm_status s;
	bool good = true;

	if (old->addr + old->bytes < old->addr ||
	    block->addr + block->bytes < block->addr)
		both = 0;
	if (both && !find_runs(u, old, both, since))
		return wm_no_memory(err, NULL);
	s = wm_page_use_lose(u, old->owner, old->addr, old->bytes, since, false,
			     err);
	if (!s)
		s = wm_page_use_gain(u, block->owner, block->addr, block->bytes,
				     u->now, err);
	for (size_t i = 0; both && !s && good && i < u->runs; i++)
		good = touch_bytes(u, block->owner,
				   block->addr + u->run[i].from,
				   block->addr + u->run[i].to,
				   u->run[i].written);
	/* what is touched counts at the end of an epoch of active ones */
	if (!good || (!s && !active_owner(u, block->owner)))
		return wm_no_memory(err, NULL);
	return s;
}

/* ---- epochs ---- */

/* The kind of memory that covers @page, and where that ends; asked for in order. */
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

/* Take what @s counts for away from its owners. */
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

/* Nobody has bytes on the pages of @s, all of which are covered alike. */
static bool count_other(struct wm_page_use *u, struct wm_page_stretch *s,
			enum wm_page_other other, bool write, bool fresh,
			bool fresh_write)
{
	uint64_t pages = s->end - s->first, bytes = pages << u->shift;
	struct wm_page_owner *o = active_owner(u, other);

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
	struct wm_page_owner *o = active_owner(u, p->owner);
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

/* Parts of which nothing was there in this epoch go; true: some of another has
 * gone within it, so that the next one has less. */
static bool settle_parts(struct wm_page_use *u, struct wm_page_stretch *s)
{
	bool less = false;

	for (uint32_t i = 0; i < s->parts; i++) {
		struct wm_page_part *p = &wm_page_parts(s)[i];

		begin_part(u, p);
		less |= p->most > p->now;
		if (!p->most)
			wm_page_part_remove(s, i--);
	}
	return less;
}

/* What the pages of @s are in this epoch, @in and @write, is counted. */
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

/* All pages of u->work, which is in order. */
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
			if (!bring_stretch(u, &p, page, end))
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

/* Those that have no pages any more are active no more. */
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

/* Take away what says nothing any more. */
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

/* What has to be counted anew: what is accessed or written now, or was, but not
 * both times; what has changed since, or was more for a while. */
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

/* There were @epochs epochs of weight @all; those without an access have 0. */
static void finish_owner(struct wm_page_owner *o, uint32_t epochs, uint64_t all)
{
	uint64_t so_far = all; /* of those with less */

	if (o->last == epochs && o->epochs)
		o->last_epoch = o->in_epoch[o->epochs - 1].bytes;
	if (o->epochs)
		qsort(o->in_epoch, o->epochs, sizeof(*o->in_epoch), by_bytes);
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

/* The sum over the epochs cannot be more than there was. */
static void cap_owner(struct wm_page_owner *o)
{
	wm_lower(&o->touched, o->most);
	wm_lower(&o->written, o->touched);
	wm_raise(&o->watched, o->touched);
	wm_lower(&o->watched, o->most);
}

/* Of blocks that are gone, and of those at the end: where they were more than
 * there ever was at a time, they were not there together. */
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

	/* those that ended in the first half of the time */
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
