/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/filter_epochs.h"

#include <stdbool.h>
#include <string.h>

#include "wm/trace_format.h"
#include "wm/varint.h"

#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/pages/runs.h"

/* A key is the number of a page, less the lowest one, in the bits above the
 * number of its note. */
#define NOTE_BITS 28
#define NOTE_MASK ((UINT64_C(1) << NOTE_BITS) - 1)
#define DIGIT 11
#define DIGITS (1u << DIGIT)

static struct wm_buf keys, keys_aside;

static uint64_t page_of(const struct wm_page_note *n)
{
	return n->addr / WM_PAGE;
}

static void sort_by(const uint64_t *from, uint64_t *to, size_t n,
		    unsigned shift)
{
	static size_t at[DIGITS];
	size_t sum = 0;

	memset(at, 0, sizeof(at));
	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t here = at[d];

		at[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Returns the keys in the order of pages, or NULL without memory. */
static const uint64_t *sort_notes(const struct wm_page_note *note, size_t n)
{
	uint64_t low = UINT64_MAX, high = 0, *a, *b;

	keys.len = keys_aside.len = 0;
	if (n > NOTE_MASK || wm_buf_reserve(&keys, n * sizeof(*a)) ||
	    wm_buf_reserve(&keys_aside, n * sizeof(*b)))
		return NULL;
	a = (void *)keys.p;
	b = (void *)keys_aside.p;
	for (size_t i = 0; i < n; i++) {
		low = page_of(&note[i]) < low ? page_of(&note[i]) : low;
		high = page_of(&note[i]) > high ? page_of(&note[i]) : high;
	}
	for (size_t i = 0; i < n; i++)
		a[i] = (page_of(&note[i]) - low) << NOTE_BITS | i;
	for (unsigned shift = NOTE_BITS;
	     shift < 64 && (high - low) >> (shift - NOTE_BITS);
	     shift += DIGIT) {
		uint64_t *swap = a;

		sort_by(a, b, n, shift);
		a = b;
		b = swap;
	}
	return a;
}

struct word {
	uint64_t hash;
	uint32_t at, bytes;
	uint32_t number; /* from 1; 0: free */
};

struct words {
	struct wm_buf text;
	struct wm_buf table;
	size_t room;
	uint32_t count;
};

static uint64_t hash_of(const uint8_t *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (n--)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

static void forget_words(struct words *w)
{
	w->text.len = w->table.len = 0;
	memset(w->table.p, 0, w->room * sizeof(struct word));
	w->count = 0;
}

static struct word *find_word(const struct words *w, uint64_t hash,
			      const uint8_t *p, size_t n)
{
	struct word *t = (void *)w->table.p;

	for (size_t i = (size_t)hash;; i++) {
		struct word *x = &t[i & (w->room - 1)];

		if (!x->number || (x->hash == hash && x->bytes == n &&
				   !memcmp(w->text.p + x->at, p, n)))
			return x;
	}
}

static int grow_words(struct words *w)
{
	struct wm_buf old = w->table;
	size_t room = w->room ? 2 * w->room : 1024;
	const struct word *x = (const void *)old.p;

	memset(&w->table, 0, sizeof(w->table));
	if (wm_buf_reserve(&w->table, room * sizeof(*x))) {
		w->table = old;
		return -1;
	}
	memset(w->table.p, 0, room * sizeof(*x));
	for (size_t i = 0, n = w->room; i < n; i++) {
		w->room = room;
		if (x[i].number)
			*find_word(w, x[i].hash, w->text.p + x[i].at,
				   x[i].bytes) = x[i];
	}
	w->room = room;
	if (old.p)
		wm_pool_unmap(old.p, old.room);
	return 0;
}

/* Returns the number of the @n bytes at @p, or 0 without memory.  Sets *@fresh
 * if it is new. */
static uint32_t number_of(struct words *w, const uint8_t *p, size_t n,
			  bool *fresh)
{
	uint64_t hash = hash_of(p, n);
	struct word *x;

	*fresh = false;
	if (2 * ((size_t)w->count + 1) > w->room && grow_words(w))
		return 0;
	x = find_word(w, hash, p, n);
	if (x->number)
		return x->number;
	if (w->text.len + n > UINT32_MAX || wm_buf_add(&w->text, p, n))
		return 0;
	*x = (struct word){ hash, (uint32_t)(w->text.len - n), (uint32_t)n,
			    ++w->count };
	*fresh = true;
	return x->number;
}

static struct words sets, spots;

static struct {
	const struct wm_page_note *note;
	struct wm_pages_block *b;
	struct wm_buf accessed, written;
	struct wm_buf group; /* notes of one page: pointers */
	struct wm_buf set;
	struct wm_buf times, whose; /* parts of SAMPLES */
	uint64_t pc, time; /* of the last sample */
	uint32_t who; /* of the present run of pages; 0: none */
	uint64_t who_pages;
	uint32_t spot;
	uint64_t place, spot_pages; /* of the present run, too */
} now;

static int add_page(struct wm_buf *runs, uint64_t page)
{
	struct wm_page_run *last = wm_runs(runs) + wm_runs_count(runs) - 1;
	const struct wm_page_run r = { page, page + 1 };

	if (runs->len && last->end == page) {
		last->end++;
		return 0;
	}
	return wm_buf_add(runs, &r, sizeof(r));
}

/* Ends a run of *@pages by writing its length to @column. */
static int end_run(struct wm_buf *column, uint64_t *pages)
{
	int e = *pages ? wm_put_number(column, *pages - 1) : 0;

	*pages = 0;
	return e;
}

/* Adds the set of threads that touched the page; a run is pages with the same
 * set. */
static int put_who(const struct wm_page_note **n, size_t count)
{
	uint64_t thread = 0;
	uint32_t number;
	bool fresh;

	now.set.len = 0;
	if (wm_put_number(&now.set, count - 1))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (wm_put_number(&now.set, n[i]->thread - thread) ||
		    wm_put_number(&now.set, n[i]->cpu) ||
		    wm_put_number(&now.set, WM_NOTE_DID(n[i]->where)))
			return -1;
		thread = n[i]->thread;
	}
	number = number_of(&sets, now.set.p, now.set.len, &fresh);
	if (!number)
		return -1;
	if (number != now.who || !now.who_pages) {
		if (end_run(&now.b->who, &now.who_pages) ||
		    wm_put_number(&now.b->who, fresh ? 0 : number))
			return -1;
		if (fresh && wm_buf_add(&now.b->who, now.set.p, now.set.len))
			return -1;
		now.who = number;
	}
	now.who_pages++;
	return 0;
}

/* Returns the number of the sample's spot, or 0 without memory.  A new spot is
 * added to the columns. */
static uint32_t spot_of(const struct wm_page_note *n)
{
	uint64_t key[2] = { n->where & ((UINT64_C(1) << 56) - 1), n->bytes };
	uint64_t pc = WM_NOTE_PC(n->where);
	bool fresh;
	uint32_t number = number_of(&spots, (const void *)key, sizeof(key),
				    &fresh);

	if (!number || !fresh)
		return number;
	if (wm_put_number(&now.b->spots, wm_zigzag((int64_t)(pc - now.pc))) ||
	    wm_put_number(&now.b->spots, WM_NOTE_WHAT(n->where)) ||
	    wm_put_number(&now.b->spots, n->bytes))
		return 0;
	now.pc = pc;
	return number;
}

static int put_sample(const struct wm_page_note **n, size_t count)
{
	uint64_t place, time;
	size_t first = 0;
	uint32_t spot;

	for (size_t i = 1; i < count; i++)
		if ((int64_t)(n[i]->time - n[first]->time) < 0)
			first = i;
	spot = spot_of(n[first]);
	place = n[first]->addr % WM_PAGE;
	time = n[first]->time - wm_state->start_ticks;
	if (!spot)
		return -1;
	if (!now.spot_pages || spot != now.spot || place != now.place) {
		if (end_run(&now.b->samples, &now.spot_pages) ||
		    wm_put_number(&now.b->samples, spot) ||
		    wm_put_number(&now.b->samples, place))
			return -1;
		now.spot = spot;
		now.place = place;
	}
	now.spot_pages++;
	if (wm_put_number(&now.times, wm_zigzag((int64_t)(time - now.time))) ||
	    (count > 1 && wm_put_number(&now.whose, first)))
		return -1;
	now.time = time;
	return 0;
}

/* Adds the notes of one page, at most one per thread. */
static int put_page(const struct wm_page_note **n, size_t count)
{
	uint64_t page = page_of(n[0]);
	unsigned did = 0;

	for (size_t i = 0; i < count; i++) {
		const struct wm_page_note *x = n[i];
		size_t j = i;

		for (; j && n[j - 1]->thread > x->thread; j--)
			n[j] = n[j - 1];
		n[j] = x;
		did |= WM_NOTE_DID(x->where);
	}
	if (add_page(&now.accessed, page) ||
	    ((did & WMT_WHO_WRITTEN) && add_page(&now.written, page)))
		return -1;
	return put_who(n, count) || put_sample(n, count) ? -1 : 0;
}

static int put_pages(const uint64_t *key, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		now.group.len = 0;
		for (end = i;
		     end < n && key[end] >> NOTE_BITS == key[i] >> NOTE_BITS;
		     end++) {
			const struct wm_page_note *note =
				&now.note[key[end] & NOTE_MASK];

			if (wm_buf_add(&now.group, &note, sizeof(note)))
				return -1;
		}
		if (put_page((void *)now.group.p, end - i))
			return -1;
	}
	return end_run(&now.b->who, &now.who_pages) ||
			       end_run(&now.b->samples, &now.spot_pages) ?
		       -1 :
		       0;
}

int wm_filter_columns(struct wm_pages_block *b, const struct wm_page_note *note,
		      size_t n, struct wm_filter_counts *counts)
{
	const uint64_t *key = sort_notes(note, n);

	if (!key)
		return -1;
	forget_words(&sets);
	forget_words(&spots);
	now.note = note;
	now.b = b;
	now.accessed.len = now.written.len = now.times.len = now.whose.len = 0;
	now.pc = now.time = now.who_pages = now.spot_pages = 0;
	if (put_pages(key, n) ||
	    wm_runs_encode(&b->accessed, &now.accessed, NULL, &b->written,
			   &now.written) ||
	    wm_buf_add(&b->samples, now.times.p, now.times.len) ||
	    wm_buf_add(&b->samples, now.whose.p, now.whose.len))
		return -1;
	counts->accessed = wm_runs_pages(&now.accessed);
	counts->written = wm_runs_pages(&now.written);
	return 0;
}
