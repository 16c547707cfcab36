/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of pages to bytes and back, by the writer's and the reader's own code;
 * how many bytes they are; bytes that no writer made. */
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/read_page_sets.h"
#include "runtime/pages/page_sets.h"
#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define PAGES 20000
#define RUNS (PAGES / 2 + 1)
#define ROOM (1 << 17)
#define ROUNDS 600

struct set {
	uint8_t has[PAGES];
	struct wm_page_run run[RUNS];
	size_t n, pages;
	uint64_t base;
};

static struct set before, set, written;
static uint8_t out[ROOM];

static void make_runs(struct set *s)
{
	s->n = s->pages = 0;
	for (size_t i = 0; i < PAGES; i++) {
		if (!s->has[i])
			continue;
		s->pages++;
		if (i && s->has[i - 1])
			s->run[s->n - 1].end++;
		else
			s->run[s->n++] = (struct wm_page_run){
				s->base + i, s->base + i + 1
			};
	}
}

/* Stretches of all sorts: empty, full, at random, every so manieth. */
static void fill(struct set *s, unsigned kind)
{
	for (size_t i = 0; i < PAGES;) {
		size_t end = i + 1 + below(below(2) ? 40 : 3000);
		unsigned what = kind < 6 ? kind : (unsigned)below(6);

		for (; i < end && i < PAGES; i++)
			s->has[i] = what == 0 ? 0 :
				    what == 1 ? 1 :
				    what == 5 ? i % 7 == 0 :
						below(what) == 0;
	}
	make_runs(s);
}

/* Some of the pages of @of. */
static void choose(struct set *s, const struct set *of, unsigned kind)
{
	s->base = of->base;
	for (size_t i = 0; i < PAGES; i++)
		s->has[i] = of->has[i] &&
			    (kind == 0 || (kind == 1 && below(3) == 0) ||
			     (kind == 2 && i / 100 % 2));
	make_runs(s);
}

static int same(const struct set *s, const struct wm_page_set *got)
{
	if (got->count != s->n || got->pages != s->pages)
		return 0;
	for (size_t i = 0; i < s->n; i++)
		if (got->range[i].first != s->run[i].first ||
		    got->range[i].end != s->run[i].end)
			return 0;
	return 1;
}

static struct wm_page_set got, old, places;

/* Encode and decode @set after @before, and @written in it. */
static int round_trip(int first)
{
	const struct wm_page_run *b = first ? NULL : before.run;
	size_t n = wm_page_set_encode(out, ROOM, set.run, set.n, b, before.n);
	size_t least = wm_page_set_encode(out, n - 1, set.run, set.n, b,
					  before.n);
	struct wm_page_column c = { .most = RUNS };
	int good;

	memset(out, 0xa5, sizeof(out));
	good = n && !least &&
	       n == wm_page_set_encode(out, n, set.run, set.n, b, before.n) &&
	       out[n] == 0xa5;
	c.in.p = out;
	c.in.end = out + n;
	good = good && !wm_page_set_next(&c, first ? NULL : &old, &got, NULL) &&
	       c.in.p == c.in.end && same(&set, &got);
	n = wm_page_positions_encode(out, ROOM, written.run, written.n, set.run,
				     set.n);
	c.in.p = out;
	c.in.end = out + n;
	good = good && n && !wm_page_set_next(&c, NULL, &places, NULL) &&
	       c.in.p == c.in.end &&
	       !wm_page_set_at(&got, &places, &old, NULL) &&
	       same(&written, &old);
	wm_page_set_release(&c.change);
	return good;
}

static void test_round_trips(void)
{
	int good = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		set.base = written.base = below(2) ? 0 : 0x7f1234000;
		fill(&set, i % 8);
		choose(&written, &set, i % 3);
		before = set;
		good += round_trip(1);
		for (unsigned k = 0; k < 3; k++) {
			struct wm_page_set swap = old;

			old = got;
			got = swap;
			for (size_t p = below(300); p < PAGES;
			     p += 1 + below(k == 0 ? 30000 : 900))
				set.has[p] ^= 1;
			make_runs(&set);
			choose(&written, &set, below(3));
			good += round_trip(0);
			before = set;
		}
	}
	ok(good == 4 * ROUNDS, "sets come back as they went: %d of %d", good,
	   4 * ROUNDS);
}

/* Bits a page of a set at random, each page with one chance of @of. */
static double bits_a_page(unsigned of, unsigned times)
{
	for (size_t i = 0; i < PAGES; i++)
		set.has[i] = below(of) < times;
	make_runs(&set);
	return 8.0 *
	       (double)wm_page_set_encode(out, ROOM, set.run, set.n, NULL, 0) /
	       (double)set.pages;
}

static void test_sizes(void)
{
	double half, most;
	size_t n;

	set.base = 0x7f1234000;
	half = bits_a_page(2, 1);
	ok(half <= 2.05, "every second page at random: %.3f bits", half);
	most = bits_a_page(10, 9);
	ok(most <= 1.13, "nine of ten pages at random: %.3f bits", most);
	before = set;
	n = wm_page_set_encode(out, ROOM, set.run, set.n, before.run, before.n);
	ok(n == 1, "the same again: %zu bytes", n);
	n = wm_page_positions_encode(out, ROOM, set.run, set.n, set.run, set.n);
	ok(n <= 6, "all of it written: %zu bytes", n);
	memset(set.has, 1, PAGES);
	make_runs(&set);
	n = wm_page_set_encode(out, ROOM, set.run, set.n, NULL, 0);
	ok(n <= 10, "one stretch: %zu bytes", n);
	n = wm_page_set_encode(out, ROOM, NULL, 0, NULL, 0);
	ok(n == 1, "no page: %zu bytes", n);
	half = bits_a_page(30, 1);
	ok(half <= 16, "one of thirty: %.3f bits", half);
}

/* Anything at all: an error or a set whose ranges ascend. */
static void test_nonsense(void)
{
	int sound = 0, taken = 0, n = 200000;
	struct wm_page_column c = { .most = 64 };
	struct wm_page_set some = { 0 };

	for (int i = 0; i < n; i++) {
		size_t size = 1 + below(24);
		uint64_t pages = 0, end = 0;
		int good = 1;

		for (size_t k = 0; k < size; k++)
			out[k] = (uint8_t)(below(3) ? below(256) : below(8));
		out[0] = (uint8_t)(2 * (size - 1 + below(2)) | below(2));
		c.in.p = out;
		c.in.end = out + size;
		if (!wm_page_set_next(&c, &got, &some, NULL)) {
			taken++;
			for (size_t k = 0; k < some.count; k++) {
				good &= some.range[k].first < some.range[k].end;
				good &= k == 0 || some.range[k].first > end;
				end = some.range[k].end;
				pages += end - some.range[k].first;
			}
			good &= pages == some.pages && some.count <= c.most;
		}
		sound += good;
	}
	ok(sound == n && taken > n / 100 && taken < n,
	   "%d of %d are sound, %d were taken", sound, n, taken);
	wm_page_set_release(&c.change);
	wm_page_set_release(&some);
}

static void test_damage(void)
{
	static const uint8_t difference[] = { 1 }, beyond[] = { 8, 0, 0 },
			     second[] = { 2 * 4, 0, 6, 0, 2 };
	struct wm_page_range three = { 5, 8 };
	struct wm_page_set a = { .count = 1, .pages = 3 }, b = { 0 };
	struct wm_page_column c = { { difference, difference + 1 }, 9, { 0 } };

	a.range = &three;
	ok(wm_page_set_next(&c, NULL, &b, NULL) == WM_BAD_INPUT,
	   "a difference to nothing");
	c.in.p = beyond;
	c.in.end = beyond + sizeof(beyond);
	ok(wm_page_set_next(&c, &a, &b, NULL) == WM_BAD_INPUT,
	   "a set that is longer than its column");
	c.in.p = second;
	c.in.end = second + sizeof(second);
	ok(!wm_page_set_next(&c, &a, &b, NULL) && b.count == 1 && b.pages == 6,
	   "two tokens, one range");
	ok(wm_page_set_at(&a, &b, &got, NULL) == WM_BAD_INPUT,
	   "places behind the last page");
	wm_page_set_release(&b);
	wm_page_set_release(&c.change);
}

int main(void)
{
	tap_plan(13);
	test_round_trips();
	test_sizes();
	test_nonsense();
	test_damage();
	wm_page_set_release(&got);
	wm_page_set_release(&old);
	wm_page_set_release(&places);
	return tap_done();
}
