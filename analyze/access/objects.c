/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/objects.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/search.h"

#define PAGE_SHIFT 12
#define PAGE_MASK ((UINT64_C(1) << PAGE_SHIFT) - 1)
/* Blocks that touch more pages are in wm_objects.blocks. */
#define SMALL_PAGES 16

/* Where blocks start on a page.  Offset 0 may be a block that began on an
 * earlier page. */
struct wm_object_page {
	uint16_t *at; /* ascending; the numbers of the objects follow */
	uint32_t count, cap; /* count of a spare page: the next spare page */
};

static uint32_t *numbers(const struct wm_object_page *p)
{
	return (uint32_t *)(void *)(p->at + p->cap);
}

int wm_objects_init(struct wm_objects *o)
{
	memset(o, 0, sizeof(*o));
	if (wm_live_init(&o->page_of) || !WM_MORE(o->object, o->cap, 0))
		return -1;
	o->count = 1; /* WM_OBJECT_NONE */
	o->low = UINT64_MAX;
	return 0;
}

void wm_objects_release(struct wm_objects *o)
{
	for (size_t i = 0; i < o->pages; i++)
		free(o->page[i].at);
	free(o->page);
	free(o->object);
	if (o->page_of.slot)
		wm_live_release(&o->page_of);
	wm_ranges_release(&o->blocks);
	wm_ranges_release(&o->mappings);
	free(o->variables.at);
	free(o->modules.at);
	memset(o, 0, sizeof(*o));
}

static uint32_t new_object(struct wm_objects *o, uint64_t lo, uint64_t bytes,
			   uint32_t owner)
{
	uint32_t n = o->spare;
	struct wm_object *x;

	if (n) {
		x = &o->object[n];
		o->spare = x->owner;
	} else {
		x = o->count < UINT32_MAX ?
			    WM_MORE(o->object, o->cap, o->count) :
			    NULL;
		if (!x)
			return 0;
		n = (uint32_t)o->count++;
	}
	x->lo = lo;
	x->bytes = bytes;
	x->owner = owner;
	x->touched = x->under = false;
	return n;
}

static void drop_object(struct wm_objects *o, uint32_t n)
{
	o->object[n].serial++;
	o->object[n].bytes = 0;
	o->object[n].owner = o->spare;
	o->spare = n;
}

/* ---- memory that small blocks may be on ---- */

/* Returns the index of the first static memory that ends after @addr. */
static size_t find_static(const struct wm_statics_list *l, uint64_t addr)
{
	return WM_FIRST(i, l->count, l->at[i].end > addr);
}

static bool is_in(const struct wm_statics_list *l, size_t i, uint64_t addr)
{
	return i < l->count && l->at[i].lo <= addr;
}

static void cover_statics(const struct wm_statics_list *l, uint64_t lo,
			  uint64_t end)
{
	for (size_t i = find_static(l, lo); i < l->count && l->at[i].lo < end;
	     i++)
		l->at[i].under = true;
}

/* Called when the page gets its first small block. */
static void cover_page(struct wm_objects *o, uint64_t page)
{
	uint64_t lo = page << PAGE_SHIFT, end = lo + PAGE_MASK + 1;
	const struct wm_range *x = NULL;

	o->object[WM_OBJECT_NONE].serial++;
	o->low = lo < o->low ? lo : o->low;
	o->high = end > o->high ? end : o->high;
	if (o->mappings.count)
		x = wm_ranges_find(&o->mappings, lo);
	for (; x && x->start < end; x = wm_ranges_find(&o->mappings, x->end))
		o->object[x->name].under = true;
	cover_statics(&o->variables, lo, end);
	cover_statics(&o->modules, lo, end);
}

/* ---- lists of pages ---- */

static struct wm_object_page *find_page(const struct wm_objects *o,
					uint64_t page)
{
	const struct wm_live_slot *s = wm_live_find(&o->page_of, page + 1);

	return s->addr ? &o->page[s->path] : NULL;
}

static struct wm_object_page *make_page(struct wm_objects *o, uint64_t page)
{
	struct wm_object_page *p = find_page(o, page);
	uint32_t n = o->spare_page;

	if (p)
		return p;
	if (wm_live_reserve(&o->page_of, 1))
		return NULL;
	if (n) {
		n--;
		o->spare_page = o->page[n].count;
		o->page[n].count = 0;
	} else {
		if (!WM_MORE(o->page, o->page_cap, o->pages))
			return NULL;
		n = (uint32_t)o->pages++;
	}
	cover_page(o, page);
	if (wm_live_put(&o->page_of, wm_live_find(&o->page_of, page + 1),
			page + 1, 0, n))
		return NULL;
	return &o->page[n];
}

static void drop_page(struct wm_objects *o, uint64_t page)
{
	struct wm_live_slot *s = wm_live_find(&o->page_of, page + 1);
	struct wm_object_page *p = &o->page[s->path];
	uint32_t next = o->spare_page;

	free(p->at);
	*p = (struct wm_object_page){ NULL, next, 0 };
	o->spare_page = s->path + 1;
	wm_live_erase(&o->page_of, s);
}

static uint32_t behind(const struct wm_object_page *p, unsigned at)
{
	return (uint32_t)WM_FIRST(i, p->count, p->at[i] > at);
}

static unsigned start_on(const struct wm_object *x, uint64_t page)
{
	return x->lo >> PAGE_SHIFT == page ? (unsigned)(x->lo & PAGE_MASK) : 0;
}

/* An even capacity keeps all parts aligned. */
static bool grow_page(struct wm_object_page *p)
{
	struct wm_object_page to = *p;

	to.cap = p->cap ? 2 * p->cap : 4;
	to.at = malloc(to.cap * (sizeof(*to.at) + sizeof(uint32_t)));
	if (!to.at)
		return false;
	if (p->count) {
		memcpy(to.at, p->at, p->count * sizeof(*p->at));
		memcpy(numbers(&to), numbers(p), p->count * sizeof(uint32_t));
	}
	free(p->at);
	*p = to;
	return true;
}

static int add_start(struct wm_objects *o, uint64_t page, uint32_t n)
{
	struct wm_object_page *p = make_page(o, page);
	unsigned at = start_on(&o->object[n], page);
	uint32_t i, behind_it;

	if (!p || (p->count == p->cap && !grow_page(p)))
		return -1;
	i = behind(p, at);
	behind_it = p->count++ - i;
	memmove(p->at + i + 1, p->at + i, behind_it * sizeof(*p->at));
	memmove(numbers(p) + i + 1, numbers(p) + i,
		behind_it * sizeof(uint32_t));
	p->at[i] = (uint16_t)at;
	numbers(p)[i] = n;
	return 0;
}

static void drop_start(struct wm_objects *o, uint64_t page, uint32_t n)
{
	struct wm_object_page *p = find_page(o, page);
	unsigned at = start_on(&o->object[n], page);
	uint32_t i = p ? behind(p, at) : 0, behind_it;

	while (i && p->at[i - 1] == at && numbers(p)[i - 1] != n)
		i--;
	if (i && p->at[i - 1] == at) {
		behind_it = p->count-- - i;
		memmove(p->at + i - 1, p->at + i, behind_it * sizeof(*p->at));
		memmove(numbers(p) + i - 1, numbers(p) + i,
			behind_it * sizeof(uint32_t));
	}
	if (p && !p->count)
		drop_page(o, page);
}

static uint64_t last_page(uint64_t addr, uint64_t bytes)
{
	return (addr + bytes - 1) >> PAGE_SHIFT;
}

static bool is_small(uint64_t addr, uint64_t bytes)
{
	return last_page(addr, bytes) - (addr >> PAGE_SHIFT) < SMALL_PAGES;
}

static uint32_t find_small(const struct wm_objects *o, uint64_t addr)
{
	const struct wm_object_page *p = find_page(o, addr >> PAGE_SHIFT);
	uint32_t i = p ? behind(p, (unsigned)(addr & PAGE_MASK)) : 0;
	uint32_t n = i ? numbers(p)[i - 1] : 0;

	return n && addr - o->object[n].lo < o->object[n].bytes ? n : 0;
}

/* ---- gains and losses ---- */

static uint32_t find_range(const struct wm_ranges *r, uint64_t addr)
{
	const struct wm_range *x = r->count ? wm_ranges_find(r, addr) : NULL;

	return x && x->start <= addr ? x->name : 0;
}

static int gain_range(struct wm_objects *o, struct wm_ranges *r, uint64_t addr,
		      uint64_t bytes, uint32_t owner)
{
	struct wm_range x = { .start = addr, .end = addr + bytes };

	o->object[WM_OBJECT_NONE].serial++;
	if (wm_ranges_touch(r, addr, addr + bytes)) {
		o->overlaps++;
		return 0;
	}
	x.name = new_object(o, addr, bytes, owner);
	if (!x.name)
		return -1;
	o->object[x.name].under = addr < o->high && addr + bytes > o->low;
	return wm_ranges_put(r, &x);
}

int wm_objects_gain(struct wm_objects *o, uint64_t addr, uint64_t bytes,
		    uint32_t owner, bool mapping)
{
	uint64_t page = addr >> PAGE_SHIFT, last;
	uint32_t n;

	if (!bytes || addr + bytes < addr)
		return 0;
	if (mapping || !is_small(addr, bytes))
		return gain_range(o, mapping ? &o->mappings : &o->blocks, addr,
				  bytes, owner);
	n = new_object(o, addr, bytes, owner);
	if (!n)
		return -1;
	for (last = last_page(addr, bytes); page <= last; page++)
		if (add_start(o, page, n))
			return -1;
	return 0;
}

static void lose_range(struct wm_objects *o, struct wm_ranges *r, uint64_t addr,
		       uint64_t bytes)
{
	const struct wm_range *x = wm_ranges_find(r, addr);
	struct wm_range gone;

	if (!x || x->start != addr || x->end - x->start != bytes)
		return;
	gone = *x;
	o->object[WM_OBJECT_NONE].serial++;
	wm_ranges_remove(r, &gone);
	drop_object(o, gone.name);
}

static uint32_t find_start(const struct wm_objects *o, uint64_t addr,
			   uint64_t bytes)
{
	const struct wm_object_page *p = find_page(o, addr >> PAGE_SHIFT);
	uint32_t i = p ? behind(p, (unsigned)(addr & PAGE_MASK)) : 0;

	for (; i && p->at[i - 1] == (addr & PAGE_MASK); i--) {
		uint32_t n = numbers(p)[i - 1];

		if (o->object[n].lo == addr && o->object[n].bytes == bytes)
			return n;
	}
	return 0;
}

void wm_objects_lose(struct wm_objects *o, uint64_t addr, uint64_t bytes,
		     bool mapping)
{
	uint64_t page = addr >> PAGE_SHIFT, last;
	uint32_t n;

	if (!bytes || addr + bytes < addr)
		return;
	if (mapping || !is_small(addr, bytes)) {
		lose_range(o, mapping ? &o->mappings : &o->blocks, addr, bytes);
		return;
	}
	n = find_start(o, addr, bytes);
	if (!n)
		return;
	for (last = last_page(addr, bytes); page <= last; page++)
		drop_start(o, page, n);
	drop_object(o, n);
}

/* ---- static memory ---- */

int wm_statics_add(struct wm_statics_list *l, uint64_t lo, uint64_t end,
		   uint32_t owner)
{
	struct wm_static *s;

	if (lo >= end)
		return 0;
	s = WM_MORE(l->at, l->cap, l->count);
	if (!s)
		return -1;
	*s = (struct wm_static){ .lo = lo, .end = end, .owner = owner };
	l->count++;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct wm_static *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->lo, y->lo), WM_ORDER(y->end, x->end));
}

static void fix_list(struct wm_statics_list *l)
{
	uint64_t end = 0;
	size_t n = 0;

	WM_SORT(l->at, l->count, by_address);
	for (size_t i = 0; i < l->count; i++) {
		if (l->at[i].lo < end)
			continue;
		end = l->at[i].end;
		l->at[n++] = l->at[i];
	}
	l->count = n;
}

void wm_objects_fix(struct wm_objects *o)
{
	fix_list(&o->variables);
	fix_list(&o->modules);
}

/* ---- look-ups ---- */

static void found_block(const struct wm_objects *o, uint32_t n,
			struct wm_found *f)
{
	const struct wm_object *x = &o->object[n];

	*f = (struct wm_found){ n, n, x->serial, x->lo, x->bytes };
}

/* Sets the result @n for @addr; there may be other objects on [@lo, @end). */
static void found_below(const struct wm_objects *o, uint32_t n, bool under,
			uint64_t lo, uint64_t end, uint64_t addr,
			struct wm_found *f)
{
	uint64_t page = addr & ~PAGE_MASK, next = page + PAGE_MASK + 1;

	if (under || wm_ranges_touch(&o->blocks, lo, end)) {
		lo = lo > page ? lo : page;
		end = end < next ? end : next;
		if (find_page(o, addr >> PAGE_SHIFT) ||
		    wm_ranges_touch(&o->blocks, lo, end)) {
			lo = end = addr; /* blocks may come there */
		}
	}
	*f = (struct wm_found){ n, WM_OBJECT_NONE,
				o->object[WM_OBJECT_NONE].serial, lo,
				end - lo };
}

static int found_static(struct wm_objects *o, struct wm_static *s, uint64_t lo,
			uint64_t end, uint64_t addr, struct wm_found *f)
{
	if (!s->object)
		s->object = new_object(o, s->lo, s->end - s->lo, s->owner);
	if (!s->object)
		return -1;
	lo = lo > s->lo ? lo : s->lo;
	end = end < s->end ? end : s->end;
	if (o->mappings.count && wm_ranges_touch(&o->mappings, lo, end)) {
		lo = addr;
		end = addr + 1;
	}
	found_below(o, s->object, s->under, lo, end, addr, f);
	return 0;
}

/* Sets the result for unknown memory at @addr, or on its whole page if
 * empty. */
static void found_nothing(const struct wm_objects *o, uint64_t addr,
			  struct wm_found *f)
{
	uint64_t lo = addr & ~PAGE_MASK, end = lo + PAGE_MASK + 1;
	const struct wm_statics_list *l = &o->variables, *m = &o->modules;
	size_t v = find_static(l, lo), i = find_static(m, lo);

	if (is_in(l, v, end - 1) || is_in(m, i, end - 1) ||
	    wm_ranges_touch(&o->mappings, lo, end)) {
		lo = addr;
		end = addr + 1;
	}
	found_below(o, WM_OBJECT_NONE, true, lo, end, addr, f);
}

static int find_fixed(struct wm_objects *o, uint64_t addr, struct wm_found *f)
{
	const struct wm_statics_list *l = &o->variables, *m = &o->modules;
	size_t v = find_static(l, addr), i = find_static(m, addr);

	if (is_in(l, v, addr))
		return found_static(o, &l->at[v], 0, UINT64_MAX, addr, f);
	if (is_in(m, i, addr))
		return found_static(o, &m->at[i], v ? l->at[v - 1].end : 0,
				    v < l->count ? l->at[v].lo : UINT64_MAX,
				    addr, f);
	found_nothing(o, addr, f);
	return 0;
}

int wm_objects_find(struct wm_objects *o, uint64_t addr, struct wm_found *f)
{
	uint32_t n = find_small(o, addr);
	const struct wm_object *x;

	if (!n)
		n = find_range(&o->blocks, addr);
	if (n) {
		found_block(o, n, f);
		return 0;
	}
	n = find_range(&o->mappings, addr);
	if (!n)
		return find_fixed(o, addr, f);
	x = &o->object[n];
	found_below(o, n, x->under, x->lo, x->lo + x->bytes, addr, f);
	return 0;
}

void wm_objects_expect(const struct wm_objects *o, const uint64_t *addr,
		       uint32_t *number, size_t count)
{
	const struct wm_object_page *page[WM_EXPECT];

	for (size_t i = 0; i < count; i++)
		__builtin_prefetch(&o->page_of.slot[wm_live_home(
			&o->page_of, (addr[i] >> PAGE_SHIFT) + 1)]);
	for (size_t i = 0; i < count; i++) {
		page[i] = find_page(o, addr[i] >> PAGE_SHIFT);
		if (page[i])
			__builtin_prefetch(page[i]);
	}
	for (size_t i = 0; i < count; i++)
		for (uint32_t k = 0; page[i] && k < page[i]->count; k += 32)
			__builtin_prefetch(page[i]->at + k);
	for (size_t i = 0; i < count; i++) {
		uint32_t k = page[i] ? behind(page[i],
					      (unsigned)(addr[i] & PAGE_MASK)) :
				       0;

		number[i] = k;
		if (k)
			__builtin_prefetch(numbers(page[i]) + k - 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (number[i])
			number[i] = numbers(page[i])[number[i] - 1];
		__builtin_prefetch(&o->object[number[i]]);
	}
}

bool wm_objects_take(const struct wm_objects *o, uint64_t addr, uint32_t number,
		     struct wm_found *f)
{
	if (!number || addr - o->object[number].lo >= o->object[number].bytes)
		return false;
	found_block(o, number, f);
	return true;
}
