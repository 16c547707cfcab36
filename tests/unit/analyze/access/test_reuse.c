/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances against a list that is searched from its front. */
#include <stdlib.h>
#include <string.h>

#include "analyze/access/reuse.h"
#include "tests/unit/tap.h"

#define MOST 20000

struct model {
	uint64_t line[MOST];
	size_t lines;
	struct wm_reuse_counts count;
};

static unsigned bin_of(size_t distance)
{
	unsigned k = 0;

	while (((size_t)1 << k) < distance)
		k++;
	return k;
}

static void model_touch(struct model *m, uint64_t line)
{
	size_t i;

	for (i = 0; i < m->lines && m->line[i] != line; i++)
		;
	if (i == m->lines) {
		m->count.first++;
		m->lines++;
	} else {
		m->count.bin[bin_of(i + 1)]++;
	}
	memmove(m->line + 1, m->line, i * sizeof(*m->line));
	m->line[0] = line;
}

static uint64_t next_line(int kind, unsigned i)
{
	switch (kind) {
	case 0: /* anywhere */
		return (uint64_t)rand() % 5000;
	case 1: /* round and round */
		return i % 3000;
	case 2: /* three arrays, and a place that moves slowly */
		return i % 4 ? i % 4 * 100000 + i / 64 : (uint64_t)rand() % 40;
	case 3: /* up and down */
		return i / 2000 % 2 ? 1999 - i % 2000 : i % 2000;
	default: /* more and more */
		return (uint64_t)rand() % (1 + i / 4);
	}
}

static int is_same(int kind)
{
	static struct model m;
	struct wm_reuse r;
	struct wm_err err;
	int same;

	memset(&m, 0, sizeof(m));
	srand(3);
	wm_reuse_init(&r, 64);
	if (wm_reuse_thread(&r, 9, &err) || wm_reuse_room(&r, 1, &err))
		return 0;
	for (unsigned i = 0; i < 40000; i++) {
		uint64_t line = next_line(kind, i);

		model_touch(&m, line);
		if (wm_reuse_access(&r, line * 64 + i % 57, 8, 0, &err))
			return 0;
	}
	same = !memcmp(&m.count, &r.cell[0], sizeof(m.count));
	wm_reuse_release(&r);
	return same;
}

/* Sweeps over @n lines: all but the first have this distance. */
static int is_cyclic(uint64_t n)
{
	struct wm_reuse r;
	struct wm_err err;
	int good;

	wm_reuse_init(&r, 64);
	if (wm_reuse_thread(&r, 0, &err) || wm_reuse_room(&r, 1, &err))
		return 0;
	for (int k = 0; k < 5; k++)
		for (uint64_t i = 0; i < n; i++)
			if (wm_reuse_access(&r, i * 64, 64, 0, &err))
				return 0;
	good = r.cell[0].first == n && r.cell[0].bin[bin_of(n)] == 4 * n;
	wm_reuse_release(&r);
	return good;
}

static void check_threads(void)
{
	struct wm_reuse r;
	struct wm_err err;

	wm_reuse_init(&r, 128);
	if (wm_reuse_thread(&r, 5, &err) || wm_reuse_room(&r, 30, &err))
		return;
	wm_reuse_access(&r, 100, 200, 3, &err);
	ok(r.cell[3].first == 3, "an access touches all of its lines");
	wm_reuse_thread(&r, 6, &err);
	wm_reuse_access(&r, 100, 8, 29, &err);
	ok(r.cell[29].first == 1, "each thread has distances of its own");
	ok(r.lines == 4, "lines of both");
	wm_reuse_thread(&r, 5, &err);
	wm_reuse_access(&r, 100, 8, 29, &err);
	ok(r.cell[29].bin[2] == 1, "the first thread goes on");
	wm_reuse_thread_ends(&r);
	ok(r.lines == 1, "what a thread had goes with it");
	wm_reuse_access(&r, 100, 8, 29, &err);
	ok(r.cell[29].first == 2, "and is new to the next one");
	wm_reuse_release(&r);
}

static void check_bound(void)
{
	struct wm_reuse r;
	struct wm_err err;

	wm_reuse_init(&r, 8);
	if (wm_reuse_thread(&r, 5, &err) || wm_reuse_room(&r, 1, &err))
		return;
	/* 1,024 slots, and not 2,048 while these are there */
	r.most_bytes = UINT64_C(2048) * 16;
	ok(!wm_reuse_access(&r, 0, UINT64_C(1000) * 8, 0, &err) &&
		   r.thread[0].lines == 768 && r.left_out == 232 &&
		   r.cell[0].first == 768 && r.bytes == 1024 * 16,
	   "what finds no room is counted");
	ok(!wm_reuse_access(&r, 8, 8, 0, &err) && r.cell[0].bin[10] == 1,
	   "what has a place goes on");
	if (wm_reuse_thread(&r, 6, &err))
		return;
	r.most_bytes = UINT64_C(1024) * 16;
	ok(!wm_reuse_access(&r, 0, 8, 0, &err) && r.left_out == 233,
	   "another thread finds no room");
	wm_reuse_release(&r);
}

int main(void)
{
	tap_plan(20);
	for (int k = 0; k < 5; k++)
		ok(is_same(k), "stream %d as the model", k);
	ok(is_cyclic(1) && is_cyclic(2), "sweeps over 1 and 2 lines");
	ok(is_cyclic(16), "over as many as the list has");
	ok(is_cyclic(17), "over one more");
	ok(is_cyclic(64) && is_cyclic(65), "over 64 and 65");
	ok(is_cyclic(4096), "over 4096");
	ok(is_cyclic(100000), "over 100000");
	check_threads();
	check_bound();
	return tap_done();
}
