/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_past.h"

#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "wm/search.h"

/* A new life is joined with an equal one of the last RECENT lives, and all
 * equal lives are joined when there are MANY. */
#define RECENT 4
#define MANY 1024

bool wm_page_past_note(struct wm_page_use *u, const struct wm_page_death *d)
{
	struct wm_page_death *to;

	/* a small block that lived only within an epoch has no effect */
	if (!d->bytes || (d->since == u->now && d->bytes >> u->shift == 0))
		return true;
	to = WM_MORE(u->death, u->death_cap, u->deaths);
	if (!to)
		return false;
	*to = *d;
	u->deaths++;
	return true;
}

/* ---- the end of an epoch ---- */

static int by_owner(const void *a, const void *b)
{
	const struct wm_page_death *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->owner, y->owner),
		       WM_ORDER(x->since, y->since),
		       WM_ORDER(x->first, y->first));
}

/* @r is the first range that ends after @page.  Lowers *@end to the next
 * change. */
static bool has(const struct wm_page_range *r, uint64_t page, uint64_t *end)
{
	bool in = r && r->first <= page;
	uint64_t at = !r ? UINT64_MAX : in ? r->end : r->first;

	if (at < *end)
		*end = at;
	return in;
}

static bool is_in(const struct wm_page_set *set, uint64_t page, uint64_t *end)
{
	size_t at = wm_page_set_find(set, page);

	return has(at < set->count ? &set->range[at] : NULL, page, end);
}

static bool covers(const struct wm_page_use *u, uint64_t page, uint64_t *end)
{
	size_t at = WM_FIRST(i, u->covered_count,
			     u->covered[i].range.end > page);

	return has(at < u->covered_count ? &u->covered[at].range : NULL, page,
		   end);
}

static int by_life(const void *a, const void *b)
{
	const struct wm_page_past *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->since, y->since), WM_ORDER(x->died, y->died),
		       WM_ORDER(x->accessed, y->accessed),
		       WM_ORDER(x->written, y->written));
}

static void join_lives(struct wm_page_owner *o)
{
	size_t n = 0;

	WM_SORT(o->past, o->pasts, by_life);
	for (size_t i = 0; i < o->pasts; i++) {
		if (n && by_life(&o->past[n - 1], &o->past[i]) == 0)
			o->past[n - 1].bytes += o->past[i].bytes;
		else
			o->past[n++] = o->past[i];
	}
	o->pasts = n;
	o->past_limit = 2 * n < MANY ? MANY : 2 * n;
}

/* If the current epoch is in the last quarter of the time, returns whether
 * epoch @n may be in the first half. */
static bool is_early(const struct wm_page_use *u, uint32_t n)
{
	return u->weight[n] / 2 <= u->weight[u->now] / 3;
}

static bool add_life(struct wm_page_use *u, uint32_t owner,
		     const struct wm_page_past *life)
{
	struct wm_page_owner *o = &u->owner[owner];
	struct wm_page_past *p;

	if (life->accessed &&
	    (!is_early(u, life->since) || !is_early(u, life->written)))
		return true;
	for (size_t i = 1; i <= RECENT && i <= o->pasts; i++) {
		p = &o->past[o->pasts - i];
		if (by_life(p, life) == 0) {
			p->bytes += life->bytes;
			return true;
		}
	}
	if (o->pasts >= MANY && o->pasts >= o->past_limit)
		join_lives(o);
	p = WM_MORE(o->past, o->past_cap, o->pasts);
	if (!p)
		return false;
	*p = *life;
	o->pasts++;
	return true;
}

/* Adds the lives on pages [@first, @end) of @d, which have ended. */
static bool end_lives(struct wm_page_use *u, const struct wm_page_death *d,
		      uint64_t first, const struct wm_page_set *accessed,
		      const struct wm_page_set *written)
{
	struct wm_page_place p = wm_page_map_find(&u->map, first);
	const struct wm_page_stretch *s;

	while (first < d->end && (s = wm_page_map_at(&u->map, p))) {
		uint64_t end = d->end < s->end ? d->end : s->end;
		bool in = is_in(accessed, first, &end);
		bool write = is_in(written, first, &end) && in;
		bool covered = covers(u, first, &end);
		struct wm_page_past life = { .since = d->since,
					     .died = u->now };

		life.accessed = in ? u->now : wm_page_last_access(u, s);
		life.written = write ? u->now : wm_page_last_write(u, s);
		if (life.accessed < d->since)
			life.accessed = d->touched ? d->since : 0;
		if (!life.accessed)
			life.written = 0;
		life.bytes = (end - first) * d->bytes;
		if ((life.accessed || covered || u->owner[d->owner].anywhere) &&
		    !add_life(u, d->owner, &life))
			return false;
		first = end;
		p = wm_page_map_seek(&u->map, p, first);
	}
	return true;
}

bool wm_page_past_epoch(struct wm_page_use *u,
			const struct wm_page_set *accessed,
			const struct wm_page_set *written)
{
	const struct wm_page_death *before = NULL;
	bool good = true;
	uint64_t end = 0;

	WM_SORT(u->death, u->deaths, by_owner);
	for (size_t i = 0; i < u->deaths && good; i++) {
		const struct wm_page_death *d = &u->death[i];

		if (!before || before->owner != d->owner ||
		    before->since != d->since)
			end = 0;
		before = d;
		/* of blocks that lived only in this epoch on a page, one
		 * counts */
		if (d->since < u->now || end < d->first)
			end = d->first;
		if (end < d->end)
			good = end_lives(u, d, end, accessed, written);
		end = end < d->end ? d->end : end;
	}
	u->deaths = 0;
	return good;
}

/* ---- the end ---- */

/* Bytes of lives that begin in an epoch, end in it, or both. */
struct turn {
	uint64_t come, gone, within;
};

/* Returns the most bytes alive at one time that were never touched.  A life
 * within one epoch counts together with bytes alive before and after it.  @turn
 * has one element for each epoch; all are zero at the call and at its end. */
static uint64_t most_untouched(const struct wm_page_owner *o, uint32_t epochs,
			       struct turn *turn)
{
	uint64_t most = 0, now = 0;

	for (size_t i = 0; i < o->pasts; i++) {
		const struct wm_page_past *p = &o->past[i];

		if (p->accessed)
			continue;
		if (p->since < p->died) {
			turn[p->since].come += p->bytes;
			turn[p->died].gone += p->bytes;
		} else {
			turn[p->since].within += p->bytes;
		}
	}
	for (uint32_t i = 0; i <= epochs; i++) {
		uint64_t here = now - turn[i].gone + turn[i].within;

		now += turn[i].come - turn[i].gone;
		here = here > now ? here : now;
		most = most > here ? most : here;
		turn[i] = (struct turn){ 0, 0, 0 };
	}
	return most;
}

void wm_page_add_cold(struct wm_page_owner *o, uint64_t bytes,
		      uint32_t accessed, uint32_t written, uint32_t half)
{
	uint64_t *cold = accessed <= half ? &o->cold : &o->read_only;
	uint32_t *since = accessed <= half ? &o->cold_since :
					     &o->read_only_since;
	uint32_t last = accessed <= half ? accessed : written;

	if (!bytes || last > half)
		return;
	*cold += bytes;
	if (*since < last)
		*since = last;
}

/* Adds a life from the first half of the time to its last quarter. */
static void add_cold(struct wm_page_use *u, struct wm_page_owner *o,
		     const struct wm_page_past *p, uint32_t half)
{
	uint64_t all = u->weight[u->now - 1];

	if (p->accessed && p->since <= half &&
	    u->weight[p->died] > all - all / 4)
		wm_page_add_cold(o, p->bytes, p->accessed, p->written, half);
}

bool wm_page_past_finish(struct wm_page_use *u, uint32_t half)
{
	struct turn *turn = calloc(u->now + 1, sizeof(*turn));

	if (!turn)
		return false;
	for (size_t i = 0; i < u->owners; i++) {
		struct wm_page_owner *o = &u->owner[i];

		if (!o->pasts)
			continue;
		o->untouched = most_untouched(o, u->now, turn);
		for (size_t k = 0; k < o->pasts; k++)
			add_cold(u, o, &o->past[k], half);
		free(o->past);
		o->past = NULL;
		o->pasts = o->past_cap = 0;
	}
	free(turn);
	return true;
}
