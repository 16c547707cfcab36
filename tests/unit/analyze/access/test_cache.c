/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Caches against a model that knows nothing of sets as lists: each line has the
 * time of its last use, and the oldest one of a set goes.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/access/cache.h"
#include "tests/unit/tap.h"
#include "wm/access_format.h"

#define THREADS 3
#define STEPS 60000
#define LINES 8192

struct model_way {
	uint64_t line, used;
	int full;
};

struct model_cache {
	struct model_way way[LINES];
	uint64_t sets, ways, line;
};

struct model {
	struct wm_cache_shape shape;
	struct model_cache cache[THREADS][WM_CACHE_LEVELS];
	uint64_t now;
	struct wm_cache_counts count;
};

static void model_init(struct model *m, const struct wm_cache_shape *s)
{
	memset(m, 0, sizeof(*m));
	m->shape = *s;
	for (int t = 0; t < THREADS; t++)
		for (unsigned i = 0; i < s->levels; i++) {
			struct model_cache *c = &m->cache[t][i];

			c->ways = s->level[i].ways;
			c->line = s->level[i].line;
			c->sets = s->level[i].bytes / c->line / c->ways;
		}
}

static int model_hit(struct model *m, struct model_cache *c, uint64_t addr)
{
	uint64_t line = addr / c->line;
	struct model_way *set = c->way + line % c->sets * c->ways, *old = set;

	for (uint64_t i = 0; i < c->ways; i++) {
		if (set[i].full && set[i].line == line) {
			set[i].used = m->now++;
			return 1;
		}
		if (!set[i].full || (old->full && set[i].used < old->used))
			old = &set[i];
	}
	*old = (struct model_way){ line, m->now++, 1 };
	return 0;
}

/* Byte by byte; a line counts once. */
static void model_access(struct model *m, int t, uint64_t addr, uint64_t bytes,
			 int store)
{
	uint64_t line = m->shape.level[0].line, before = 0;
	unsigned levels = m->shape.levels;

	for (uint64_t a = addr; a < addr + bytes; a++) {
		if (a > addr && a / line == before)
			continue;
		before = a / line;
		m->count.lines[store]++;
		for (unsigned i = 0; i < levels; i++) {
			int whose = i && i == levels - 1 ? 0 : t;

			if (model_hit(m, &m->cache[whose][i], a))
				break;
			m->count.misses[store][i]++;
		}
	}
}

/* How the addresses go. */
enum kind { RANDOM, STRIDE, MIXED };

static uint64_t address(enum kind kind, int t, unsigned i)
{
	if (kind == RANDOM)
		return (uint64_t)rand() % 100000;
	if (kind == STRIDE)
		return (uint64_t)t * 7777 + i * 24 % 70000;
	return i % 3 ? (uint64_t)rand() % 3000 : i * 8 % 200000;
}

static int is_same(const char *text, enum kind kind)
{
	static struct model m;
	struct wm_cache_shape s;
	struct wm_caches c;
	struct wm_err err;
	int same;

	if (wm_cache_shape_parse(&s, text, &err) ||
	    wm_caches_init(&c, &s, &err))
		return 0;
	model_init(&m, &s);
	srand(7);
	for (unsigned i = 0; i < STEPS; i++) {
		int t = (int)(i / 100 % THREADS), what = rand() % 3;
		uint64_t addr = address(kind, t, i);
		uint64_t bytes = rand() % 50 ? 8 : 1 + (uint64_t)rand() % 300;

		if (wm_caches_thread(&c, (uint64_t)t + 40, &err) ||
		    wm_caches_room(&c, 2, &err))
			return 0;
		wm_caches_access(&c, addr, bytes,
				 what == 0 ? WMA_READ :
				 what == 1 ? WMA_WRITE :
					     WMA_MODIFY,
				 1);
		/* what does both: each byte is loaded, then stored */
		model_access(&m, t, addr, bytes, what == 1);
		if (what == 2)
			m.count.lines[1] += (addr + bytes - 1) /
						    s.level[0].line -
					    addr / s.level[0].line + 1;
	}
	same = !memcmp(&m.count, &c.cell[1], sizeof(m.count)) &&
	       m.count.misses[0][s.levels - 1] && m.count.misses[1][0];
	wm_caches_release(&c);
	return same;
}

static void check_models(void)
{
	static const char *const shapes[] = {
		"L1=1K/2",
		"L1=1K/4/32,L2=8K/8,L3=24K/12",
		"L1=512/1/16,L2=3K/6/64",
		"L1=4K/64",
		("L1=2K/2,L2=4K/4,L3=8K/8,"
		 "L4=16K/16/256"),
	};

	for (size_t i = 0; i < 5; i++)
		for (int k = RANDOM; k <= MIXED; k++)
			ok(is_same(shapes[i], (enum kind)k),
			   "%s counts as the model, stream %d", shapes[i], k);
}

static uint64_t misses_of(const char *text, uint64_t bytes, int sweeps)
{
	struct wm_cache_shape s;
	struct wm_caches c;
	struct wm_err err;
	uint64_t n;

	if (wm_cache_shape_parse(&s, text, &err) ||
	    wm_caches_init(&c, &s, &err) || wm_caches_thread(&c, 0, &err) ||
	    wm_caches_room(&c, 1, &err))
		return 0;
	for (int k = 0; k < sweeps; k++)
		for (uint64_t a = 0; a < bytes; a += 8)
			wm_caches_access(&c, 0x7f0000000000 + a, 8, WMA_READ,
					 0);
	n = c.cell[0].misses[0][0];
	wm_caches_release(&c);
	return n;
}

static void check_known(void)
{
	struct wm_cache_shape s;
	struct wm_caches c;
	struct wm_err err;

	ok(misses_of("L1=32K/8", 32768, 3) == 512, "what fits misses once");
	ok(misses_of("L1=32K/8", 32768 + 4096, 3) == 3 * 576,
	   "sweeps over one line more than each set has: nothing stays");
	ok(misses_of("L1=32K/8/128", 32768, 3) == 256, "with larger lines");
	if (wm_cache_shape_parse(&s, "L1=1K/2,L2=4K/4", &err) ||
	    wm_caches_init(&c, &s, &err) || wm_caches_thread(&c, 3, &err) ||
	    wm_caches_room(&c, 1, &err))
		return;
	wm_caches_access(&c, 60, 8, WMA_WRITE, 0);
	ok(c.cell[0].lines[1] == 2 && c.cell[0].misses[1][0] == 2,
	   "an access that crosses lines touches both");
	ok(!wm_caches_thread(&c, 4, &err), "another thread");
	wm_caches_access(&c, 60, 8, WMA_READ, 0);
	ok(c.cell[0].misses[0][0] == 2 && c.cell[0].misses[0][1] == 0,
	   "has its own first level, and shares the last one");
	wm_caches_thread_ends(&c);
	ok(c.memory == 2 * 8 * 8, "a thread that ends leaves no caches");
	ok(!wm_caches_thread(&c, 4, &err), "it may come again");
	wm_caches_access(&c, UINT64_MAX - 3, 100, WMA_READ, 0);
	ok(c.cell[0].lines[0] == 3, "the address space ends");
	wm_caches_release(&c);
}

int main(void)
{
	tap_plan(24);
	check_models();
	check_known();
	return tap_done();
}
