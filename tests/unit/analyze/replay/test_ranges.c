/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay of mappings against a model that knows pages only: one thread,
 * random mmap, munmap, mremap (that moves, grows, shrinks, fails, and in which
 * others are called), shmat, shmdt, stacks and breaks on a few pages.
 */
#include "analyze/lib/replay/replay.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define PAGES 600 /* some hundred ranges */
#define PAGE 4096u
#define BASE 0x100000u

struct page {
	uint32_t path; /* 0: nothing is mapped */
	uint64_t origin;
	uint8_t family;
};

static struct page model[PAGES], hands[PAGES];
static int held; /* mremap has its hands on something */
static struct wm_slice slice;

static void add(unsigned kind, unsigned page, unsigned pages, uint32_t path)
{
	const struct wm_operands *o = &wm_operands[kind];
	uint64_t addr = BASE + (uint64_t)page * PAGE;

	slice.kind[slice.events] = (uint8_t)kind;
	slice.time[slice.events++] = seed;
	if (o->fresh)
		slice.new_addr[slice.news++] = addr;
	if (o->old)
		slice.old_addr[slice.olds++] = addr;
	if (o->extra)
		slice.extra[slice.extras++] = (uint64_t)pages * PAGE;
	if (!o->stack)
		return;
	slice.path[slice.stacks] = path;
	slice.size[slice.stacks++] = (uint64_t)pages * PAGE;
}

static void set(unsigned page, unsigned pages, uint32_t path, uint8_t family)
{
	unsigned i;

	for (i = page; i < page + pages; i++)
		model[i] = (struct page){ path, path ? page : 0, family };
}

static void drop_origin(unsigned page, uint8_t family)
{
	unsigned i;

	for (i = 0; i < PAGES; i++)
		if (model[i].path && model[i].origin == page &&
		    model[i].family == family)
			model[i].path = 0;
}

static void finish_remap(unsigned page, unsigned pages, uint32_t path)
{
	uint8_t family = WM_FAMILY_mapped;
	unsigned i;

	held = 0;
	if (one_of(4) == 0) {
		add(WMT_EV_FAILED, 0, pages, path);
		for (i = 0; i < PAGES; i++)
			if (hands[i].path)
				model[i] = hands[i];
		return;
	}
	for (i = 0; i < PAGES; i++)
		if (hands[i].path)
			family = hands[i].family;
	add(WMT_EV_REMAP_IN, page, pages, path);
	set(page, pages, path, family);
}

/* A hook within mremap calls the allocator. */
static void add_realloc(uint32_t path)
{
	add(WMT_EV_MALLOC, PAGES, 1, path);
	add(WMT_EV_REALLOC_OUT, PAGES, 0, 0);
	add(WMT_EV_REALLOC_IN, PAGES, 2, path);
	add(WMT_EV_FREE, PAGES, 0, 0);
}

static void one(void)
{
	static const uint8_t gain[] = { WMT_EV_MAP, WMT_EV_MAP, WMT_EV_SHM,
					WMT_EV_THREAD_STACK, WMT_EV_BREAK_UP };
	static const uint8_t family[] = { WM_FAMILY_mapped, WM_FAMILY_mapped,
					  WM_FAMILY_shm, WM_FAMILY_stacks,
					  WM_FAMILY_mapped };
	unsigned pages = 1 + one_of(one_of(9) ? 4 : 200),
		 page = one_of(PAGES - pages), k = one_of(5);
	uint32_t path = 1 + one_of(1000);

	if (held && one_of(3)) {
		finish_remap(page, pages, path);
		return;
	}
	if (one_of(4) == 0)
		add_realloc(path);
	switch (one_of(held ? 4 : 5)) {
	case 0:
	case 1:
		add(gain[k], page, pages, path);
		set(page, pages, path, family[k]);
		break;
	case 2:
		add(k ? WMT_EV_UNMAP : WMT_EV_BREAK_DOWN, page, pages, 0);
		set(page, pages, 0, 0);
		break;
	case 3:
		if (k < 2) {
			add(WMT_EV_THREAD_STACK_GONE, page, 0, 0);
			drop_origin(page, WM_FAMILY_stacks);
		} else {
			add(WMT_EV_SHM_GONE, page, 0, 0);
			drop_origin(page, WM_FAMILY_shm);
		}
		break;
	default:
		add(WMT_EV_REMAP_OUT, page, pages, 0);
		memset(hands, 0, sizeof(hands));
		memcpy(&hands[page], &model[page], pages * sizeof(*model));
		set(page, pages, 0, 0);
		held = 1;
	}
}

static int same(const struct wm_ranges *r)
{
	const struct wm_range *x, *next;
	size_t count = 0;
	unsigned i;

	for (x = wm_ranges_find(r, 0); x; x = next, count++) {
		next = wm_ranges_find(r, x->end);
		if (x->start >= x->end || (next && next->start < x->end))
			return 0;
	}
	if (count != r->count)
		return 0;
	for (i = 0; i < PAGES; i++) {
		uint64_t a = BASE + (uint64_t)i * PAGE;

		x = wm_ranges_find(r, a);
		if (!x || x->start > a) {
			if (model[i].path)
				return 0;
			continue;
		}
		if (x->path != model[i].path || x->family != model[i].family ||
		    x->origin != BASE + model[i].origin * PAGE)
			return 0;
	}
	return 1;
}

static const struct wm_trace no_trace;

int main(void)
{
	struct wm_passes none = { 0 };
	struct wm_feed feed = { .slice = &slice, .alone = 1 };
	struct wm_replay r;
	struct wm_err err;
	size_t most = 0;
	int round, bad = 0;

	tap_plan(4);
	ok(wm_replay_init(&r, &none, &no_trace, 0, &err) == WM_OK,
	   "replay begins");
	for (round = 0; round < 20000 && !bad; round++) {
		unsigned n = 1 + one_of(4);

		slice.events = slice.stacks = slice.news = 0;
		slice.olds = slice.extras = 0;
		feed.event = feed.stack = feed.new_addr = 0;
		feed.old_addr = feed.extra = 0;
		while (n--)
			one();
		bad = wm_replay_events(&r, &feed, slice.events, &err) !=
		      WM_STEP_DONE;
		/* what mremap has in its hands is nowhere */
		if (most < r.ranges.count)
			most = r.ranges.count;
		bad |= !same(&r.ranges) || (held ? 0 : feed.flight != 0);
	}
	ok(!bad, "mappings are those of the model, %d times", round);
	ok(most > 130, "they were %zu at most, some pages of the list", most);
	ok(r.tally.unpaired == 0, "every mremap has both halves");
	wm_replay_release(&r);
	return tap_done();
}
