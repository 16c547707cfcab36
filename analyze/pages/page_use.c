/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_use.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/pages/page_lists.h"
#include "analyze/pages/page_past.h"

/* Far more than a program has; bounds the work for small files. */
#define MOST_STRETCHES ((size_t)16 << 20)

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
	for (size_t i = 0; i < u->owners; i++) {
		free(u->owner[i].in_epoch);
		free(u->owner[i].past);
	}
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

enum change {
	COMES,
	GOES, /* its bytes live on in another block */
	DIES,
};

/* Adds or removes bytes of a block of epoch @since on pages of @s. */
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
	wm_page_part_begin(p, u->now);
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

/* Adds or removes @bytes on each page of [@first, @end). */
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

		if (!wm_page_map_bring(&u->map, &p, first, end))
			return wm_no_memory(err, NULL);
		s = wm_page_map_at(&u->map, p);
		first = s->end;
		if (!change_part(u, s, owner, (uint32_t)bytes, since, how))
			return wm_no_memory(err, NULL);
		wm_page_map_join(&u->map, &p, u->now);
	}
	return WM_OK;
}

/* The pages of a block: the first page, pages in between, the last page. */
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

/* Returns whether the block that @owner got in epoch @since was touched, or
 * written, on pages of @s, perhaps before it moved there. */
static bool was(const struct wm_page_use *u, const struct wm_page_stretch *s,
		uint32_t owner, uint32_t since, bool written)
{
	uint32_t last = written ? wm_page_last_write(u, s) :
				  wm_page_last_access(u, s);

	if (written ? !s->written : !s->accessed)
		last = 0;
	return (last && last >= since) || part_bytes(s, owner, written);
}

/* Finds the touched ranges in the first @bytes of a block. */
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
		struct wm_touched_run *r;

		if (!was(u, s, b->owner, since, false))
			continue;
		r = WM_MORE(u->run, u->run_cap, u->runs);
		if (!r)
			return false;
		u->runs++;
		*r = (struct wm_touched_run){
			from > b->addr ? from - b->addr : 0,
			(to < end ? to : end) - b->addr,
			was(u, s, b->owner, since, true),
		};
	}
	return true;
}

/* Marks @bytes of @owner on each page of [@first, @end) as touched. */
static bool touch_pages(struct wm_page_use *u, uint32_t owner, uint64_t first,
			uint64_t end, uint64_t bytes, bool written)
{
	struct wm_page_owner *o = &u->owner[owner];
	struct wm_page_place p = wm_page_map_find(&u->map, first);

	while (first < end && bytes) {
		struct wm_page_stretch *s;
		struct wm_page_part *q;
		uint32_t more;

		if (!wm_page_map_bring(&u->map, &p, first, end))
			return false;
		s = wm_page_map_at(&u->map, p);
		q = wm_page_part_of(s, owner);
		if (!q)
			return false;
		wm_page_part_begin(q, u->now);
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

struct wm_page_owner *wm_page_use_active(struct wm_page_use *u, uint32_t owner)
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
	/* touched bytes of active owners count at the end of an epoch */
	if (!good || (!s && !wm_page_use_active(u, block->owner)))
		return wm_no_memory(err, NULL);
	return s;
}

/* ---- covered memory ---- */

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
	const struct wm_page_stretch *s;
	uint64_t pages;

	u->covered = covered;
	u->covered_count = count;
	for (size_t i = 0; i < count; i++) {
		struct wm_page_range left = covered[i].range;

		while ((s = wm_page_map_take(&u->map, &p, &left, &pages)))
			count_watched(u, s, pages);
	}
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		if (o->watched < o->counted)
			o->watched = o->counted;
		o->counted = 0;
	}
}
