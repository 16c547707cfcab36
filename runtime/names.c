/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/names.h"

#include <string.h>

#include "wm/trace_format.h"
#include "wm/varint.h"

#include "runtime/child.h"
#include "runtime/lock.h"
#include "runtime/losses.h"
#include "runtime/state.h"
#include "runtime/sys.h"
#include "runtime/writer.h"

#define MAX_NAMES 4096u
#define MAX_BYTES (64u << 10)
#define NAME_BYTES 255u
#define SLOTS (2 * MAX_NAMES)
#define NO_NUMBER UINT32_MAX

struct name {
	uint32_t hash;
	uint16_t at; /* in text */
	uint16_t len;
};

struct table {
	_Atomic uint16_t slot[SLOTS]; /* number, released after its name */
	struct name name[MAX_NAMES + 1]; /* by number */
	char text[MAX_BYTES];
};

static const char too_many[] = "(too many names)";

static struct wm_lock lock; /* who adds names, pauses, or resumes */
static _Atomic(struct table *) names;
static _Atomic uint32_t count;
static uint32_t bytes, others; /* others: number of too_many, or 0 */
/* under the writer lock */
static uint32_t sent, encoded;

static _Atomic uint64_t skipped;

/* Bytes of the name, cut off between characters where it is too long. */
static size_t name_length(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && n <= NAME_BYTES && s[n])
		n++;
	if (n <= NAME_BYTES)
		return n;
	n = NAME_BYTES;
	while (n && (s[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static uint32_t hash_of(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	while (n--)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h ^ h >> 15;
}

/* The number, or 0; *@slot is where it stands or would stand. */
static uint32_t find(struct table *t, uint32_t hash, const char *s, size_t n,
		     uint32_t *slot)
{
	uint32_t i = hash % SLOTS, number;

	for (;; i = (i + 1) % SLOTS) {
		const struct name *e;

		*slot = i;
		/* pairs with the release in add() */
		number = atomic_load_explicit(&t->slot[i],
					      memory_order_acquire);
		if (!number)
			return 0;
		e = &t->name[number];
		if (e->hash == hash && e->len == n &&
		    memcmp(t->text + e->at, s, n) == 0)
			return number;
	}
}

size_t wm_names_bytes(void)
{
	return sizeof(struct table) + 2 * (2 * MAX_NAMES + MAX_BYTES);
}

static struct table *table_get(void)
{
	struct table *t = atomic_load_explicit(&names, memory_order_acquire);

	if (t)
		return t;
	t = wm_pool_map(sizeof(*t));
	atomic_store_explicit(&names, t, memory_order_release);
	return t;
}

/* Under the lock. */
static uint32_t add(struct table *t, uint32_t slot, uint32_t hash,
		    const char *s, size_t n)
{
	uint32_t number = atomic_load(&count) + 1;
	struct name *e = &t->name[number];

	e->hash = hash;
	e->at = (uint16_t)bytes;
	e->len = (uint16_t)n;
	memcpy(t->text + bytes, s, n);
	bytes += (uint32_t)n;
	/* pairs with the acquire in wm_names_encode(); first, or a child that is
	 * forked in between would give the number away again */
	atomic_store_explicit(&count, number, memory_order_release);
	atomic_store_explicit(&t->slot[slot], (uint16_t)number,
			      memory_order_release);
	return number;
}

/* A name that is not known. */
struct fresh {
	const char *s;
	size_t n;
	uint32_t hash, number;
};

static uint32_t number_under_lock(const struct fresh *f, int *added)
{
	struct table *t = table_get();
	uint32_t number, slot, hash;

	if (!t)
		return NO_NUMBER;
	number = find(t, f->hash, f->s, f->n, &slot);
	if (number)
		return number;
	if (others)
		return others;
	*added = 1;
	if (atomic_load(&count) < MAX_NAMES - 1 &&
	    bytes + f->n + sizeof(too_many) <= MAX_BYTES)
		return add(t, slot, f->hash, f->s, f->n);
	hash = hash_of(too_many, sizeof(too_many) - 1);
	others = find(t, hash, too_many, sizeof(too_many) - 1, &slot);
	if (!others)
		others = add(t, slot, hash, too_many, sizeof(too_many) - 1);
	return others;
}

static void take_in(void *arg)
{
	struct fresh *f = arg;
	int added = 0;

	wm_lock_take(&lock);
	f->number = number_under_lock(f, &added);
	wm_lock_drop(&lock);
	/* names survive a kill, whoever keeps the events that use them */
	if (added)
		wm_writer_names();
}

/* Find or add; NO_NUMBER: no memory. */
static uint32_t number_of(const char *s, size_t n)
{
	struct table *t = atomic_load_explicit(&names, memory_order_acquire);
	struct fresh f = { s, n, hash_of(s, n), 0 };
	uint32_t slot;

	if (t)
		f.number = find(t, f.hash, s, n, &slot);
	if (!f.number)
		wm_aside(take_in, &f);
	return f.number;
}

static void begin_child(void *begun)
{
	*(int *)begun = wm_child_begin();
}

/* Not in a child, nor where nobody wants to know. */
static int recording(void)
{
	const struct wm_state *st;
	int phase;

	if (!wm_start())
		return 0;
	st = wm_state;
	phase = atomic_load_explicit(&st->phase, memory_order_relaxed);
	if (phase == WM_PHASE_NONE) {
		int begun = 0;

		if (wm_child_wanted())
			wm_aside(begin_child, &begun);
		return begun;
	}
	if (phase != WM_PHASE_ON && phase != WM_PHASE_STOPPED)
		return 0;
	return st->wipes || wm_sys_getpid() == st->pid;
}

void wm_annotate(unsigned kind, const void *p, const char *name, size_t max)
{
	size_t n = name ? name_length(name, max) : 0;
	uint32_t number = 0;

	if (!recording())
		return;
	if (n)
		number = number_of(name, n);
	if (number == NO_NUMBER) {
		wm_drop(1, "cannot get memory for names");
		return;
	}
	wm_rec_note(kind, p, number);
}

/* What is left out lies between the two events. */
static void pause_or_resume(void *arg)
{
	int on = *(const int *)arg, paused;

	wm_lock_take(&lock);
	paused = atomic_load(&wm_extra) & WM_EXTRA_PAUSED;
	if (on && !paused) {
		wm_rec_note(WMT_EV_PAUSE, NULL, 0);
		atomic_fetch_or(&wm_extra, WM_EXTRA_PAUSED);
	} else if (!on && paused) {
		atomic_fetch_and(&wm_extra, ~WM_EXTRA_PAUSED);
		wm_rec_note(WMT_EV_RESUME, NULL, 0);
	}
	wm_lock_drop(&lock);
}

void wm_annotate_pause(int on)
{
	if (recording())
		wm_aside(pause_or_resume, &on);
}

int wm_pause_skips(unsigned kind, const void *p)
{
	/* a child's first event: the pause is its parent's */
	if (wm_forked(wm_state))
		return 0;
	switch (kind) {
	case WMT_EV_REMAP_IN:
	case WMT_EV_BREAK_UP:
		/* they move or grow what is known */
		return 0;
	case WMT_EV_REALLOC_IN:
		if (!p)
			return 0; /* the old block lives on */
		wm_rec_gone();
		break;
	default:
		if (!p)
			return 1;
	}
	atomic_fetch_add_explicit(&skipped, 1, memory_order_relaxed);
	return 1;
}

uint64_t wm_pause_skipped(void)
{
	return atomic_load_explicit(&skipped, memory_order_relaxed);
}

int wm_names_encode(struct wm_buf *column, uint32_t *first)
{
	uint32_t last = atomic_load_explicit(&count, memory_order_acquire);
	const struct table *t = atomic_load_explicit(&names,
						     memory_order_acquire);

	*first = 0;
	encoded = sent;
	if (!t || last == sent)
		return 0;
	if (wm_buf_reserve(column, (last - sent) * (size_t)2 + bytes))
		return -1;
	for (uint32_t i = sent + 1; i <= last; i++) {
		const struct name *e = &t->name[i];
		uint8_t *p = wm_varint_put(column->p + column->len, e->len);

		memcpy(p, t->text + e->at, e->len);
		column->len = (size_t)(p - column->p) + e->len;
	}
	*first = sent + 1;
	encoded = last;
	return 0;
}

void wm_names_forget(void)
{
	sent = encoded = 0;
	atomic_store(&skipped, 0);
	/* its trace has no PAUSE */
	atomic_fetch_and(&wm_extra, ~WM_EXTRA_PAUSED);
}

void wm_names_sent(void)
{
	sent = encoded;
}
