/* SPDX-License-Identifier: Apache-2.0 */
/* The table of live blocks against an array, on random operations. */
#include "analyze/lib/trace/live.h"

#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define ADDRESSES 5000

struct plain {
	int live;
	uint64_t size;
	uint32_t path;
};

static struct plain plain[ADDRESSES];
static uint64_t address(unsigned i)
{
	/* neighbours, strides of a page, and odd ones */
	return 0x1000 +
	       (uint64_t)i * (i % 3 == 0 ? 16 :
			      i % 3 == 1 ? 4096 :
					   24) +
	       (uint64_t)(i % 3) * 0x100000000u;
}

static uint64_t some_size(void)
{
	uint64_t k = rnd() % 20;

	if (k == 0)
		return 0;
	if (k == 1)
		return UINT32_MAX - 1 + rnd() % 3;
	if (k == 2)
		return rnd() % (1ull << 50);
	return rnd() % 10000;
}

/* One random operation; 0 when table and array disagree. */
static int operate(struct wm_live *l)
{
	unsigned i = (unsigned)(rnd() % ADDRESSES);
	uint64_t addr = address(i);
	struct plain *p = &plain[i];
	struct wm_live_slot *s;

	if (wm_live_reserve(l, 1))
		return 0;
	s = wm_live_find(l, addr);
	if (!s->addr != !p->live)
		return 0;
	if (p->live) {
		uint32_t path = s->path;
		uint64_t size = wm_live_take_size(l, s);

		wm_live_erase(l, s);
		p->live = 0;
		return path == p->path && size == p->size;
	}
	p->live = 1;
	p->size = some_size();
	p->path = (uint32_t)rnd() >> 1;
	return wm_live_put(l, s, addr, p->size, p->path) == 0;
}

int main(void)
{
	struct wm_live l;
	size_t live = 0;
	int i, good = 1;

	tap_plan(5);
	ok(wm_live_init(&l) == 0, "init");
	for (i = 0; i < 400000 && good; i++)
		good = operate(&l);
	ok(good, "400,000 operations give what an array gives");
	for (i = 0; i < ADDRESSES; i++)
		live += (size_t)plain[i].live;
	ok(l.count == live, "count");
	ok(l.count <= l.limit, "at most half full");
	wm_live_release(&l);
	wm_live_release(&l);
	ok(!l.count, "released twice");
	return tap_done();
}
