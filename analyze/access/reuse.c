/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/reuse.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/access/lines.h"
#include "analyze/lib/base/vec.h"

#define LEAST_SLOTS 1024
#define LEAST_TIMES 4096
#define NO_TIME UINT32_MAX /* the line is among the latest */

struct wm_reuse_line {
	uint64_t tag; /* line + 1; 0: empty */
	uint32_t time;
};

void wm_reuse_init(struct wm_reuse *r, uint32_t line)
{
	memset(r, 0, sizeof(*r));
	r->shift = wm_log2(line);
	r->most_bytes = WM_REUSE_MOST_BYTES;
}

static void drop_thread(struct wm_reuse *r, struct wm_reuse_thread *t)
{
	r->lines -= t->lines;
	r->bytes -= t->slots * sizeof(*t->slot);
	free(t->slot);
	free(t->bit);
	free(t->sum);
	*t = (struct wm_reuse_thread){ .number = t->number };
}

void wm_reuse_release(struct wm_reuse *r)
{
	for (size_t i = 0; i < r->threads; i++)
		drop_thread(r, &r->thread[i]);
	free(r->thread);
	free(r->cell);
	wm_index_release(&r->index);
}

enum wm_status wm_reuse_thread(struct wm_reuse *r, uint64_t number,
			       struct wm_err *err)
{
	uint32_t hash = wm_index_hash(number);
	struct wm_index_slot *s;

	if (r->threads && r->thread[r->current].number == number)
		return WM_OK;
	if (wm_index_room(&r->index))
		return wm_no_memory(err, NULL);
	WM_INDEX_EACH(s, &r->index, hash)
		if (r->thread[s->number - 1].number == number)
			break;
	if (!s->number) {
		struct wm_reuse_thread *t = WM_MORE(r->thread, r->thread_cap,
						    r->threads);

		if (!t)
			return wm_no_memory(err, NULL);
		t->number = number;
		wm_index_put(&r->index, s, hash, r->threads++);
	}
	r->current = s->number - 1;
	return WM_OK;
}

void wm_reuse_thread_ends(struct wm_reuse *r)
{
	if (r->threads)
		drop_thread(r, &r->thread[r->current]);
}

enum wm_status wm_reuse_room(struct wm_reuse *r, size_t cells,
			     struct wm_err *err)
{
	return WM_ZEROED(r->cell, r->cells, cells) ? WM_OK :
						     wm_no_memory(err, NULL);
}

/* ---- the table of lines ---- */

static struct wm_reuse_line *find(const struct wm_reuse_thread *t, uint64_t tag)
{
	size_t at = wm_index_hash(tag);

	for (;; at++) {
		struct wm_reuse_line *l = &t->slot[at & (t->slots - 1)];

		if (!l->tag || l->tag == tag)
			return l;
	}
}

static bool is_full(const struct wm_reuse_thread *t)
{
	return t->lines == t->slots - t->slots / 4;
}

/* Makes space for one more line.  The table stays full if that takes too many
 * bytes.  Returns false without memory. */
static bool more_slots(struct wm_reuse *r, struct wm_reuse_thread *t)
{
	struct wm_reuse_line *old = t->slot, *slot;
	size_t n = t->slots, more = n ? 2 * n : LEAST_SLOTS;

	if (!is_full(t) || r->bytes + more * sizeof(*slot) > r->most_bytes)
		return true;
	slot = calloc(more, sizeof(*slot));
	if (!slot)
		return false;
	r->bytes += (more - n) * sizeof(*slot);
	t->slot = slot;
	t->slots = more;
	for (size_t i = 0; i < n; i++)
		if (old[i].tag)
			*find(t, old[i].tag) = old[i];
	free(old);
	return true;
}

/* ---- times ---- */

static void add(struct wm_reuse_thread *t, uint32_t time, uint32_t change)
{
	t->bit[time / 64] ^= UINT64_C(1) << time % 64;
	for (uint32_t i = time / 64 + 1; i <= t->words; i += i & -i)
		t->sum[i] += change;
}

static uint32_t before(const struct wm_reuse_thread *t, uint32_t time)
{
	uint64_t low = (UINT64_C(1) << time % 64) - 1;
	uint32_t n = (uint32_t)__builtin_popcountll(t->bit[time / 64] & low);

	for (uint32_t i = time / 64; i; i -= i & -i)
		n += t->sum[i];
	return n;
}

/* Numbers the lines' times 0, 1, 2 ..., followed by as many free times. */
static bool number_anew(struct wm_reuse_thread *t)
{
	uint32_t lines = (uint32_t)t->lines, times = LEAST_TIMES, words;
	uint64_t *bit;
	uint32_t *sum;

	while (times < 2 * lines)
		times *= 2;
	words = times / 64;
	bit = calloc(words, sizeof(*bit));
	sum = calloc(words + 1, sizeof(*sum));
	if (!bit || !sum) {
		free(bit);
		free(sum);
		return false;
	}
	lines = 0;
	for (size_t i = 0; i < t->slots; i++) {
		if (!t->slot[i].tag || t->slot[i].time == NO_TIME)
			continue;
		t->slot[i].time = before(t, t->slot[i].time);
		lines++;
	}
	free(t->bit);
	free(t->sum);
	t->bit = bit;
	t->sum = sum;
	t->times = times;
	t->words = words;
	t->now = 0;
	while (t->now < lines)
		add(t, t->now++, 1);
	return true;
}

/* ---- accesses ---- */

static void leave(struct wm_reuse_thread *t)
{
	uint64_t line = t->latest[WM_REUSE_LATEST - 1];

	find(t, line + 1)->time = t->now;
	add(t, t->now++, 1);
}

/* Makes @line the latest; lines before @place become one older. */
static void put_first(struct wm_reuse_thread *t, uint64_t line, unsigned place)
{
	memmove(t->latest + 1, t->latest, place * sizeof(*t->latest));
	t->latest[0] = line;
}

static unsigned bin_of(uint32_t distance)
{
	return distance < 2 ? 0 : 32 - (unsigned)__builtin_clz(distance - 1);
}

static bool touch_older(struct wm_reuse *r, struct wm_reuse_thread *t,
			uint64_t line, struct wm_reuse_counts *n)
{
	struct wm_reuse_line *l;

	if (!more_slots(r, t) || (t->now == t->times && !number_anew(t)))
		return false;
	if (!t->slots) {
		r->left_out++;
		return true;
	}
	l = find(t, line + 1);
	if (l->tag) {
		uint32_t older = (uint32_t)t->lines - t->latest_count;

		/* lines in the list, and lines that left it with this one or
		 * later */
		older -= before(t, l->time);
		n->bin[bin_of(WM_REUSE_LATEST + older)]++;
		add(t, l->time, UINT32_MAX);
		l->time = NO_TIME;
	} else if (is_full(t)) {
		r->left_out++;
		return true;
	} else {
		n->first++;
		*l = (struct wm_reuse_line){ line + 1, NO_TIME };
		t->lines++;
		r->lines++;
	}
	if (t->latest_count == WM_REUSE_LATEST)
		leave(t);
	else
		t->latest_count++;
	put_first(t, line, t->latest_count - 1);
	return true;
}

static bool touch(struct wm_reuse *r, struct wm_reuse_thread *t, uint64_t line,
		  struct wm_reuse_counts *n)
{
	for (unsigned i = 0; i < t->latest_count; i++) {
		if (t->latest[i] != line)
			continue;
		n->bin[bin_of(i + 1)]++;
		put_first(t, line, i);
		return true;
	}
	return touch_older(r, t, line, n);
}

enum wm_status wm_reuse_access(struct wm_reuse *r, uint64_t addr,
			       uint64_t bytes, uint32_t cell,
			       struct wm_err *err)
{
	struct wm_reuse_thread *t = &r->thread[r->current];
	struct wm_reuse_counts *n = &r->cell[cell];
	uint64_t line = addr >> r->shift;
	uint64_t last = wm_access_last(addr, bytes) >> r->shift;

	for (; line <= last; line++) {
		if (t->latest_count && t->latest[0] == line)
			n->bin[0]++;
		else if (!touch(r, t, line, n))
			return wm_no_memory(err, "lines of reuse distances");
	}
	return WM_OK;
}
