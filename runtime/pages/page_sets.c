/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/page_sets.h"

#include <stdbool.h>
#include <string.h>

#include "wm/varint.h"

/* Yields runs one by one: of a set (@b is empty), of the difference of two
 * sets, or of the places of @a in @b.  A copy of the struct can look ahead. */
struct runs {
	const struct wm_page_run *a, *b;
	size_t a_bound, a_bounds, b_bound, b_bounds; /* two per run */
	bool (*next)(struct runs *r, struct wm_page_run *run);
	uint64_t place; /* for places: pages of b before b_bound / 2 */
	uint64_t at; /* lower numbers are done */
};

#define NO_BOUND UINT64_MAX

static uint64_t bound(const struct wm_page_run *run, size_t i, size_t bounds)
{
	if (i >= bounds)
		return NO_BOUND;
	return i & 1 ? run[i / 2].end : run[i / 2].first;
}

/* Finds where only one of the two sets begins or ends. */
static uint64_t next_bound(struct runs *r)
{
	uint64_t a, b;

	for (;;) {
		a = bound(r->a, r->a_bound, r->a_bounds);
		b = bound(r->b, r->b_bound, r->b_bounds);
		r->a_bound += a <= b;
		r->b_bound += b <= a;
		if (a != b)
			return a < b ? a : b;
		if (a == NO_BOUND)
			return NO_BOUND;
	}
}

static bool next_difference(struct runs *r, struct wm_page_run *run)
{
	run->first = next_bound(r);
	if (run->first == NO_BOUND)
		return false;
	run->end = next_bound(r);
	return true;
}

/* Stores the next pages of @a with adjacent places.  Returns false at the
 * end. */
static bool next_piece(struct runs *r, struct wm_page_run *run)
{
	while (r->a_bound < r->a_bounds && r->b_bound < r->b_bounds) {
		const struct wm_page_run *a = &r->a[r->a_bound / 2];
		const struct wm_page_run *b = &r->b[r->b_bound / 2];
		uint64_t first = a->first > b->first ? a->first : b->first;
		uint64_t end = a->end < b->end ? a->end : b->end;
		uint64_t place = r->place;

		if (b->end <= a->end) {
			r->place += b->end - b->first;
			r->b_bound += 2;
		}
		if (a->end <= b->end)
			r->a_bound += 2;
		if (first < end) {
			run->first = place + (first - b->first);
			run->end = place + (end - b->first);
			return true;
		}
	}
	return false;
}

/* Joins the places of pages that are adjacent in @b but not in number. */
static bool next_places(struct runs *r, struct wm_page_run *run)
{
	struct wm_page_run more;
	struct runs ahead;

	if (!next_piece(r, run))
		return false;
	for (ahead = *r; next_piece(&ahead, &more) && more.first == run->end;
	     *r = ahead)
		run->end = more.end;
	return true;
}

/* Stores the next run, or the part of it above r->at.  Returns false at the
 * end. */
static bool next_run(struct runs *r, struct wm_page_run *run)
{
	while (r->next(r, run)) {
		if (run->end <= r->at)
			continue;
		if (run->first < r->at)
			run->first = r->at;
		return true;
	}
	return false;
}

static size_t varint_size(uint64_t v)
{
	size_t n = 1;

	while (v >= 0x80) {
		v >>= 7;
		n++;
	}
	return n;
}

/* The first number, and the number of pages or of bytes of bits. */
struct token {
	uint64_t first, count;
	bool bits;
};

#define TOKEN_BITS (8 * 4) /* about the cost of one more token */
#define LOOK 64 /* after so many runs without a gain, a bitmap ends */

/* As a bitmap, if that costs less than a list for some number of runs.  The
 * bitmap ends with the run where it saves most. */
static struct token choose(const struct runs *r, const struct wm_page_run *run)
{
	struct token t = { run->first, run->end - run->first, false };
	uint64_t gap = 0, end = run->first, best_end = 0;
	int64_t gain = -TOKEN_BITS, best = 0;
	struct wm_page_run next = *run;
	struct runs ahead = *r;
	unsigned since = 0;

	do {
		uint64_t length = next.end - next.first;

		gap = next.first - end;
		if (gap > 1 << 16 || length > 1 << 16)
			break;
		gain += (int64_t)(8 * (varint_size(gap) +
				       varint_size(2 * length - 2)));
		gain -= (int64_t)(gap + length);
		end = next.end;
		since++;
		if (gain > best) {
			best = gain;
			best_end = end;
			since = 0;
		}
	} while (gain > best - TOKEN_BITS && since < LOOK &&
		 next_run(&ahead, &next));
	if (best_end) {
		t.bits = true;
		t.count = (best_end - run->first + 7) / 8;
	}
	return t;
}

/* Sets bits for the numbers from t->first on in the bytes at @out. */
static void put_bits(uint8_t *out, const struct token *t, struct runs r,
		     struct wm_page_run run)
{
	uint64_t end = t->first + 8 * t->count;

	memset(out, 0, (size_t)t->count);
	do {
		for (; run.first < run.end && run.first < end; run.first++) {
			uint64_t i = run.first - t->first;

			out[i / 8] |= (uint8_t)(1u << (i % 8));
		}
	} while (run.end < end && next_run(&r, &run));
}

/* Writes the tokens of @r to @out, unless @out is NULL.  Returns their
 * bytes. */
static size_t put_tokens(uint8_t *out, struct runs r)
{
	struct wm_page_run run;
	uint8_t number[2 * WM_VARINT_MAX], *end;
	size_t n = 0;

	for (;;) {
		struct runs before = r;
		struct token t;

		if (!next_run(&r, &run))
			return n;
		t = choose(&r, &run);
		end = wm_varint_put(number, t.first - before.at);
		end = wm_varint_put(end, (t.count - 1) << 1 | t.bits);
		if (out)
			memcpy(out + n, number, (size_t)(end - number));
		n += (size_t)(end - number);
		if (!t.bits) {
			r.at = t.first + t.count;
			continue;
		}
		if (out)
			put_bits(out + n, &t, r, run);
		n += (size_t)t.count;
		/* The last run may extend beyond the bitmap, so the runs are
		 * passed again. */
		r = before;
		r.at = t.first + 8 * t.count;
	}
}

static size_t put_set(uint8_t *out, size_t room, const struct runs *r, size_t n,
		      bool difference)
{
	uint64_t size = (uint64_t)n << 1 | difference;
	size_t head = varint_size(size);

	if (head > room || n > room - head)
		return 0;
	wm_varint_put(out, size);
	put_tokens(out + head, *r);
	return head + n;
}

size_t wm_page_set_encode(uint8_t *out, size_t room,
			  const struct wm_page_run *set, size_t n,
			  const struct wm_page_run *before, size_t before_n)
{
	struct runs whole = {
		.a = set, .a_bounds = 2 * n, .b = set, .next = next_difference
	};
	struct runs change = whole;
	size_t size = put_tokens(NULL, whole), less;

	if (before) {
		change.b = before;
		change.b_bounds = 2 * before_n;
		less = put_tokens(NULL, change);
		if (less < size)
			return put_set(out, room, &change, less, true);
	}
	return put_set(out, room, &whole, size, false);
}

size_t wm_page_positions_encode(uint8_t *out, size_t room,
				const struct wm_page_run *written, size_t n,
				const struct wm_page_run *accessed,
				size_t accessed_n)
{
	struct runs places = { .a = written,
			       .a_bounds = 2 * n,
			       .b = accessed,
			       .b_bounds = 2 * accessed_n,
			       .next = next_places };

	return put_set(out, room, &places, put_tokens(NULL, places), false);
}
