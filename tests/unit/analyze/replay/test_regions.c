/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that begin and end at random, in each other and across each other's
 * ends, against a plain list of them. */
#include "analyze/lib/replay/regions.h"

#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define BASE 0x10000u
#define PLACES 60
#define STEPS 20000

/* The region that begins at each place; bytes 0: none. */
static struct wm_span model[PLACES];
static uint32_t name_of[PLACES];
/* The place whose region @addr lies in, or -1. */
static int expected(uint64_t addr)
{
	int i;

	for (i = PLACES - 1; i >= 0; i--)
		if (model[i].bytes && addr >= model[i].start &&
		    addr - model[i].start < model[i].bytes)
			return i;
	return -1;
}

/* One random mark; false: something else ended than should. */
static bool step(struct wm_regions *r, uint32_t name)
{
	unsigned place = one_of(PLACES);
	struct wm_mark m = { .kind = WM_MARK_REGION, .name = name };
	struct wm_region gone;
	uint32_t ends = 0;
	int old = (int)place;

	m.span.start = BASE + 10 * place;
	if (one_of(2)) {
		m.kind = WM_MARK_REGION_END;
		m.span.start += one_of(10);
		old = expected(m.span.start);
	} else {
		m.span.bytes = 1 + one_of(one_of(4) ? 30 : 300);
	}
	if (old >= 0 && model[old].bytes) {
		ends = name_of[old];
		model[old].bytes = 0;
	}
	if (m.kind == WM_MARK_REGION) {
		model[place] = m.span;
		name_of[place] = name;
	}
	if (wm_regions_take(r, &m, &gone, NULL))
		return false;
	return gone.name == ends && (gone.span.bytes != 0) == (ends != 0);
}

static bool finds_all(const struct wm_regions *r)
{
	uint64_t addr;

	for (addr = BASE - 5; addr < BASE + 10 * PLACES + 310; addr++) {
		const struct wm_region *x = wm_regions_find(r, addr);
		int i = expected(addr);

		if (i < 0 ? x != NULL : !x || x->name != name_of[i])
			return false;
	}
	return true;
}

/* Whether each answer holds in all of the range that comes with it, and not
 * right before that. */
static bool knows_around(const struct wm_regions *r)
{
	uint64_t addr, at, lo, end;

	for (addr = BASE; addr < BASE + 10 * PLACES + 310; addr++) {
		const struct wm_region *x = wm_regions_around(r, addr, &lo,
							      &end);

		if (x != wm_regions_find(r, addr) || addr < lo || addr >= end)
			return false;
		for (at = lo < BASE - 5 ? BASE - 5 : lo;
		     at < end && at < BASE + 10 * PLACES + 310; at++)
			if (wm_regions_find(r, at) != x)
				return false;
		if (x && lo > x->span.start && wm_regions_find(r, lo - 1) == x)
			return false;
	}
	return true;
}

static void limit(void)
{
	struct wm_regions r = { .count = 0 };
	struct wm_mark m = { .kind = WM_MARK_REGION, .span = { 0, 1, 1 } };
	struct wm_region gone;
	unsigned i;

	for (i = 0; i < WM_REGIONS + 10; i++) {
		m.span.start = BASE + 2 * i;
		m.name = i + 1;
		wm_regions_take(&r, &m, &gone, NULL);
	}
	ok(r.count == WM_REGIONS && r.begun == WM_REGIONS + 10,
	   "no more than the limit at a time");
	ok(wm_regions_find(&r, BASE)->name == 1 &&
		   !wm_regions_find(&r, BASE + 2 * WM_REGIONS),
	   "what comes then is left out");
	m.kind = WM_MARK_REGION_END;
	m.span.start = BASE;
	wm_regions_take(&r, &m, &gone, NULL);
	ok(gone.number == 0 && r.count == WM_REGIONS - 1, "one ends");
	wm_regions_release(&r);
}

int main(void)
{
	struct wm_regions r = { .count = 0 };
	bool ends = true, finds = true, around = true;
	uint32_t i;

	for (i = 1; i <= STEPS; i++) {
		ends = step(&r, i) && ends;
		if (i % 16 == 0)
			finds = finds_all(&r) && finds;
		if (i % 512 == 0)
			around = knows_around(&r) && around;
	}
	tap_plan(6);
	ok(ends, "what ends is what should");
	ok(finds, "an address is in the region that begins last");
	ok(around, "and so are those around it, up to where another one is");
	wm_regions_release(&r);
	limit();
	return tap_done();
}
