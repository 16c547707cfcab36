/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that threads share: which, and how often they may have moved. */
#include <string.h>

#include "analyze/access/sharing.h"
#include "tests/unit/tap.h"
#include "wm/access_format.h"

static struct wm_sharing s;
static struct wm_err err;

static void begin(uint32_t line)
{
	if (wm_sharing_init(&s, line, &err))
		ok(0, "%s", err.text);
}

/* @n accesses of 8 bytes. */
static void access_n(int n, uint64_t addr, unsigned kind, uint32_t cell)
{
	while (n--)
		if (wm_sharing_access(&s, addr, 8, kind, cell, &err))
			ok(0, "%s", err.text);
}

static void thread(uint64_t number, uint64_t since, uint64_t until)
{
	if (wm_sharing_thread(&s, number, since, until, &err))
		ok(0, "%s", err.text);
}

static const struct wm_sharing_row *find(bool overlaps)
{
	if (wm_sharing_finish(&s, &err))
		ok(0, "%s", err.text);
	for (size_t i = 0; i < s.rows; i++)
		if (s.row[i].overlaps == overlaps)
			return &s.row[i];
	return NULL;
}

/* Two threads count in one line, behind each other in the trace. */
static void check_false(void)
{
	const struct wm_sharing_row *r;

	begin(64);
	thread(0, 0, 9);
	access_n(1000, 128, WMA_MODIFY, 5);
	thread(7, 2, 9);
	access_n(800, 136, WMA_MODIFY, 5);
	r = find(false);
	ok(r && s.rows == 1, "false sharing, and nothing else");
	if (!r)
		return;
	ok(r->moves == 1600 && r->most_moves == 1600 && r->lines == 1,
	   "twice as many moves as the one with fewer has accesses");
	ok(r->address == 128 && r->threads == 2 && r->accesses == 1800 &&
		   r->cell[0] == 5 && r->cell[1] == 5,
	   "one line, two threads");
	ok(r->parts == 2 && r->part[0].from == 0 && r->part[0].to == 7 &&
		   r->part[0].loads == 1000 && r->part[0].stores == 1000 &&
		   r->part[0].thread == 0,
	   "the first thread's bytes");
	ok(r->part[1].from == 8 && r->part[1].to == 15 &&
		   r->part[1].stores == 800 && r->part[1].thread == 7,
	   "the second one's");
	wm_sharing_release(&s);
}

static void check_none(void)
{
	begin(64);
	thread(0, 0, 9);
	access_n(1000, 0, WMA_WRITE, 1);
	access_n(1000, 256, WMA_READ, 2);
	thread(1, 0, 9);
	access_n(1000, 64, WMA_WRITE, 1);
	access_n(1000, 264, WMA_READ, 2);
	ok(!find(false) && !find(true),
	   "neither lines of their own nor loads are shared");
	wm_sharing_release(&s);
	begin(16);
	thread(0, 0, 9);
	access_n(1000, 0, WMA_WRITE, 1);
	thread(1, 0, 9);
	access_n(1000, 16, WMA_WRITE, 1);
	ok(!find(false), "lines may be smaller");
	wm_sharing_release(&s);
	begin(256);
	thread(0, 0, 9);
	access_n(1000, 0, WMA_WRITE, 1);
	thread(1, 0, 9);
	access_n(1000, 64, WMA_WRITE, 1);
	ok(find(false) && find(false)->part[1].from == 64 &&
		   find(false)->part[1].to == 71,
	   "or larger");
	wm_sharing_release(&s);
}

static void check_true(void)
{
	const struct wm_sharing_row *r;

	begin(64);
	thread(0, 0, 9);
	access_n(500, 8, WMA_WRITE, 1);
	thread(1, 0, 9);
	access_n(300, 8, WMA_READ, 2);
	r = find(true);
	ok(r && s.rows == 1 && r->moves == 600 && r->cell[0] == 1 &&
		   r->cell[1] == 2,
	   "true sharing: one stores, the other loads");
	wm_sharing_release(&s);
}

/* Thread 0 clears all counters, counts in its own, and sums up all. */
static void check_swept(void)
{
	const struct wm_sharing_row *r;

	begin(64);
	thread(0, 0, 9);
	for (uint64_t i = 0; i < 8; i++)
		access_n(1, i * 8, WMA_WRITE, 1);
	access_n(1000, 0, WMA_MODIFY, 2);
	for (uint64_t i = 0; i < 8; i++)
		access_n(1, i * 8, WMA_READ, 3);
	thread(1, 0, 9);
	access_n(1000, 8, WMA_MODIFY, 2);
	r = find(false);
	ok(r && r->moves == 1999 && r->cell[0] == 2 && r->cell[1] == 2,
	   "counters of two threads, although one clears them all");
	r = find(true);
	ok(r && r->moves == 32, "which is true sharing, of a few accesses");
	wm_sharing_release(&s);
	begin(64);
	thread(0, 0, 9);
	for (uint64_t i = 0; i < 8; i++)
		access_n(1, i * 8, WMA_MODIFY, 2);
	access_n(1000, 0, WMA_MODIFY, 2);
	thread(1, 0, 9);
	access_n(1000, 8, WMA_MODIFY, 2);
	r = find(false);
	ok(r && r->moves > 1900, "also where one spot does both");
	r = find(true);
	ok(r && r->moves < 40, "the rest of it is little");
	wm_sharing_release(&s);
}

static void check_handed(void)
{
	const struct wm_sharing_row *r;

	begin(64);
	thread(0, 0, 5);
	access_n(1000, 0, WMA_WRITE, 1);
	thread(1, 5, 9);
	access_n(1000, 8, WMA_WRITE, 2);
	r = find(false);
	ok(r && r->moves == 1, "a line that was handed over moved once");
	wm_sharing_release(&s);
	begin(64);
	for (uint64_t i = 0; i < 100; i++) {
		thread(i & 1, i, i + 1);
		access_n(10, (i & 1) * 8, WMA_WRITE, 1 + (i & 1));
	}
	r = find(false);
	ok(r && r->moves == 99 && r->most_moves == 99 && r->lines == 1,
	   "one that went to and fro moved each time");
	wm_sharing_release(&s);
	begin(64);
	thread(0, 0, 5);
	access_n(1000, 0, WMA_WRITE, 1);
	thread(1, 4, 9);
	access_n(1000, 8, WMA_WRITE, 2);
	r = find(false);
	ok(r && r->moves == 1999, "an event too early: nobody knows");
	wm_sharing_release(&s);
}

static void check_blocks(void)
{
	const struct wm_sharing_row *r;

	begin(64);
	thread(0, 0, 9);
	access_n(1000, 0, WMA_WRITE, 1);
	ok(!wm_sharing_block(&s, 0, 64, &err), "the block goes");
	thread(1, 0, 9);
	access_n(1000, 8, WMA_WRITE, 2);
	ok(!find(false), "another block's line is another line");
	wm_sharing_release(&s);
	begin(64);
	for (int i = 0; i < 3; i++) {
		thread(0, 0, 9);
		access_n(10, 0, WMA_WRITE, 1);
		thread(1, 0, 9);
		access_n(10, 8, WMA_WRITE, 1);
		/* more lines than there are */
		ok(!wm_sharing_block(&s, 0, UINT64_C(1) << 50, &err),
		   "a block goes");
	}
	r = find(false);
	ok(r && r->lines == 3 && r->moves == 3 * 19 && r->most_moves == 19,
	   "each time it is another line");
	wm_sharing_release(&s);
}

/* Many threads, more than parts are told. */
static void check_many(void)
{
	const struct wm_sharing_row *r;

	begin(256);
	for (uint64_t t = 0; t < 32; t++) {
		thread(t, 0, 9);
		access_n(100, t * 8, WMA_WRITE, 1);
	}
	r = find(false);
	ok(r && r->threads == 32 && r->parts == 16 && r->parts_left_out == 16 &&
		   r->moves == 3199,
	   "32 threads in a line of 256 bytes");
	wm_sharing_release(&s);
}

/* A short file may name any number of lines. */
static void check_bound(void)
{
	begin(64);
	s.most_bytes = UINT64_C(1) << 20;
	for (uint64_t t = 0; t < 2; t++) {
		thread(t, 0, 9);
		for (uint64_t i = 0; i < 100000; i++)
			access_n(1, i * 64 + t * 8, WMA_WRITE, 1);
	}
	ok(s.lines > 1000 && s.lines < 20000 && s.left_out,
	   "lines and pieces take 1 MiB");
	ok(s.pieces + s.left_out == 200001, "what finds no room is counted");
	thread(1, 0, 9);
	access_n(10, 8, WMA_WRITE, 1);
	ok(!find(false) && s.pieces + s.left_out == 200011,
	   "and nothing is guessed of it");
	wm_sharing_release(&s);
}

int main(void)
{
	tap_plan(26);
	check_false();
	check_none();
	check_true();
	check_swept();
	check_handed();
	check_blocks();
	check_many();
	check_bound();
	return tap_done();
}
