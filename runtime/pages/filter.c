/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/filter.h"

#include <string.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/depth.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/sys.h"
#include "runtime/trace/accesses.h"

#define LEAST_NOTES 128u
/* From this number of notes on, all of `seen` is emptied at once. */
#define MANY (WM_FILTER_PLACES / 4)
#define PATIENCE_NS (50 * UINT64_C(1000000))
#define BACKOFF_NS 50000

_Atomic(struct wm_page_filter *) wm_filters;
static _Atomic bool ended, process_ended;

static bool make_table(struct wm_note_table *t, size_t room)
{
	t->note = wm_pool_map(room * sizeof(*t->note));
	t->room = t->note ? room : 0;
	t->count = 0;
	return t->note;
}

static void free_table(struct wm_note_table *t)
{
	if (t->note)
		wm_pool_unmap(t->note, t->room * sizeof(*t->note));
	memset(t, 0, sizeof(*t));
}

/* Returns the note of @page by @thread, or the free place for it. */
static struct wm_page_note *find(const struct wm_note_table *t, uint64_t page,
				 uint32_t thread)
{
	size_t at = (size_t)((page * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
	/* Read once: a handler may fork, which wipes the child's filter, but
	 * not the memory of its notes. */
	struct wm_page_note *note =
		*(struct wm_page_note *const volatile *)&t->note;
	size_t room = *(const volatile size_t *)&t->room;

	if (wm_unlikely(!note || !room))
		return NULL;
	for (;; at++) {
		struct wm_page_note *n = &note[at & (room - 1)];

		if (!n->addr ||
		    (n->addr / WM_PAGE == page && n->thread == thread))
			return n;
	}
}

struct grow_call {
	struct wm_note_table *t;
	bool ok;
};

static void grow_on(void *arg)
{
	struct grow_call *c = arg;
	struct wm_note_table *t = c->t, more;

	c->ok = make_table(&more, t->room ? 2 * t->room : LEAST_NOTES);
	if (!c->ok)
		return;
	for (size_t i = 0; i < t->room; i++) {
		const struct wm_page_note *n = &t->note[i];

		if (n->addr)
			*find(&more, n->addr / WM_PAGE, n->thread) = *n;
	}
	more.count = t->count;
	free_table(t);
	*t = more;
}

static bool has_room(struct wm_note_table *t)
{
	struct grow_call c = { t, false };
	uintptr_t depth = wm_depth;

	if (wm_likely(4 * (t->count + 1) <= 3 * t->room))
		return true;
	if (!depth)
		wm_depth = (uintptr_t)wm_frame();
	wm_aside(grow_on, &c);
	wm_depth = depth;
	/* One free place has to remain, because it ends a search. */
	return c.ok || t->count + 1 < t->room;
}

#define CPUS 65535u

static unsigned ask_cpu(void)
{
	unsigned cpu = 0;

	WM_SYS3(SYS_getcpu, &cpu, NULL, NULL);
	return cpu < CPUS ? cpu : CPUS;
}

static bool counter_has_cpu;

/* Some virtual machines do not keep the processor's number in the register
 * beside the counter. */
static void look_at_counter(void)
{
	unsigned before, cpu, after, same = 0;

	if (wm_clock_kind != WMT_CLOCK_TSC || !wm_counter_has_processor())
		return;
	for (int i = 0; i < 8; i++) {
		before = ask_cpu();
		wm_counter_and_processor(&cpu);
		after = ask_cpu();
		if (before != after)
			continue;
		if (cpu != before)
			return;
		same++;
	}
	counter_has_cpu = same > 0;
}

static uint64_t when_and_where(uint16_t *on)
{
	unsigned cpu;
	uint64_t t;

	if (wm_likely(counter_has_cpu)) {
		t = wm_counter_and_processor(&cpu);
		*on = (uint16_t)cpu;
		return t;
	}
	t = wm_clock_ticks();
	cpu = ask_cpu();
	*on = (uint16_t)cpu;
	return t;
}

static bool try_hold(struct wm_page_filter *f, uint32_t who)
{
	uint32_t none = WM_FILTER_FREE;

	/* pairs with the release in let_go() */
	return atomic_compare_exchange_strong_explicit(&f->holder, &none, who,
						       memory_order_acquire,
						       memory_order_relaxed);
}

static void back_off(void)
{
	const struct timespec t = { 0, BACKOFF_NS };

	WM_SYS2(SYS_nanosleep, &t, NULL);
}

/* Waits while the clock holds the filter, for some us.  An owner that holds it
 * is the caller, or has died. */
static __attribute__((noinline)) void wait_for_clock(struct wm_page_filter *f)
{
	while (!try_hold(f, WM_FILTER_OWNER) &&
	       atomic_load_explicit(&f->holder, memory_order_acquire) !=
		       WM_FILTER_OWNER)
		back_off();
}

static void let_go(struct wm_page_filter *f)
{
	atomic_store_explicit(&f->holder, WM_FILTER_FREE, memory_order_release);
}

static void see(struct wm_page_filter *f, int written, uint64_t page)
{
	__atomic_store_n(&f->seen[written][page % WM_FILTER_PLACES],
			 page * WM_PAGE, __ATOMIC_RELAXED);
}

static void take_note(struct wm_page_filter *f, uint64_t addr, uint64_t bytes,
		      uint64_t where)
{
	uint64_t page = addr / WM_PAGE;
	unsigned did = WM_NOTE_DID(where);
	struct wm_page_note *n;

	if (wm_unlikely(!has_room(&f->notes))) {
		wm_access_lose();
		return;
	}
	n = find(&f->notes, page, f->thread);
	if (wm_unlikely(!n)) /* this is a child */
		return;
	if (n->addr) {
		n->where |= (uint64_t)did << 56;
	} else {
		n->where = where;
		n->thread = f->thread;
		n->bytes = (uint16_t)bytes;
		n->time = when_and_where(&n->cpu);
		n->addr = addr;
		f->notes.count++;
	}
	/* The clock empties these while it holds the filter. */
	if (did & WMT_WHO_READ)
		see(f, 0, page);
	if (did & WMT_WHO_WRITTEN)
		see(f, 1, page);
}

static __attribute__((noinline)) void note_asides(struct wm_page_filter *f)
{
	uint32_t n, i = 0;

	do {
		n = atomic_load(&f->asides);
		for (; i < n && i < WM_FILTER_ASIDE; i++) {
			struct wm_note_aside *a = &f->aside[i];

			if (a->addr)
				take_note(f, a->addr, a->bytes, a->where);
			a->addr = 0;
		}
	} while (!atomic_compare_exchange_strong(&f->asides, &n, 0));
}

void wm_filter_note(struct wm_page_filter *f, uint64_t addr, uint64_t bytes,
		    uint64_t where)
{
	if (wm_unlikely(!try_hold(f, WM_FILTER_OWNER)))
		wait_for_clock(f);
	take_note(f, addr, bytes, where);
	if (wm_unlikely(atomic_load_explicit(&f->asides, memory_order_relaxed)))
		note_asides(f);
	let_go(f);
}

void wm_filter_note_aside(struct wm_page_filter *f, uint64_t addr,
			  uint64_t bytes, uint64_t where)
{
	uint32_t n = atomic_fetch_add(&f->asides, 1);

	if (n >= WM_FILTER_ASIDE) {
		atomic_store(&f->asides, WM_FILTER_ASIDE);
		wm_access_lose();
		return;
	}
	f->aside[n].bytes = bytes;
	f->aside[n].where = where;
	/* Stored last: a longjmp leaves the entry complete or unused. */
	atomic_signal_fence(memory_order_release);
	f->aside[n].addr = addr;
}

static void forget_all(struct wm_page_filter *f)
{
	/* The kernel does not discard locked pages. */
	if (WM_SYS3(SYS_madvise, f->seen, sizeof(f->seen),
		    4 /* MADV_DONTNEED */))
		memset(f->seen, 0, sizeof(f->seen));
}

static struct wm_page_filter *make_filter(void)
{
	struct wm_page_filter *f = wm_pool_map(sizeof(*f));

	/* Without this a child would continue with its parent's filter. */
	if (f && !wm_pool_wipe(f, sizeof(*f))) {
		wm_pool_unmap(f, sizeof(*f));
		return NULL;
	}
	if (!f)
		return NULL;
	f->next = atomic_load(&wm_filters);
	while (!atomic_compare_exchange_weak(&wm_filters, &f->next, f))
		;
	return f;
}

struct wm_page_filter *wm_filter_begin(struct wm_slot *slot)
{
	struct wm_page_filter *f = slot->filter;

	if (atomic_load(&ended))
		return NULL;
	if (!f) {
		if (!atomic_load(&wm_filters)) {
			look_at_counter();
			/* Samples are ordered among events by their time. */
			wm_clock_exact();
		}
		f = make_filter();
		if (!f)
			return NULL;
		f->thread = slot->thread;
		slot->filter = f;
	} else if (f->thread != slot->thread) {
		/* Notes of the previous owner stay until the epoch ends. */
		if (!try_hold(f, WM_FILTER_OWNER))
			wait_for_clock(f);
		forget_all(f);
		f->thread = slot->thread;
		let_go(f);
	}
	atomic_store(&f->on, 1);
	/* Filters may have been ended meanwhile. */
	if (atomic_load(&ended))
		atomic_store(&f->on, 0);
	return f;
}

void wm_filters_end(bool process_ends)
{
	atomic_store(&process_ended, process_ends);
	atomic_store(&ended, true);
	for (struct wm_page_filter *f = atomic_load(&wm_filters); f;
	     f = f->next)
		atomic_store(&f->on, 0);
}

bool wm_filters_are_over(void)
{
	return atomic_load(&process_ended);
}

/* An owner holds @f for less than a microsecond, or longer if it waits for a
 * processor, or for ever if a handler has left the hook by longjmp. */
static bool hold_for_clock(struct wm_page_filter *f)
{
	uint64_t from = wm_clock_ns(CLOCK_MONOTONIC);
	uint64_t patience = f->stuck ? PATIENCE_NS / 50 : PATIENCE_NS;

	while (!try_hold(f, WM_FILTER_CLOCK)) {
		if (wm_clock_ns(CLOCK_MONOTONIC) - from > patience) {
			f->stuck = true;
			return false;
		}
		back_off();
	}
	f->stuck = false;
	return true;
}

static void forget_noted(struct wm_page_filter *f,
			 const struct wm_note_table *t)
{
	if (t->count >= MANY) {
		forget_all(f);
		return;
	}
	for (size_t i = 0; i < t->room; i++) {
		size_t at = t->note[i].addr / WM_PAGE % WM_FILTER_PLACES;

		if (!t->note[i].addr)
			continue;
		__atomic_store_n(&f->seen[0][at], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&f->seen[1][at], 0, __ATOMIC_RELAXED);
	}
}

bool wm_filter_take(struct wm_page_filter *f, struct wm_note_table *taken)
{
	memset(taken, 0, sizeof(*taken));
	/* An owner without notes need not wait. */
	if (!*(const volatile size_t *)&f->notes.count)
		return true;
	if ((!f->spare.note && !make_table(&f->spare, LEAST_NOTES)) ||
	    !hold_for_clock(f))
		return false;
	*taken = f->notes;
	f->notes = f->spare;
	memset(&f->spare, 0, sizeof(f->spare));
	forget_noted(f, taken);
	let_go(f);
	return true;
}

/* Keeps the table's size, unless that was far too large. */
void wm_filter_give_back(struct wm_page_filter *f, struct wm_note_table *taken)
{
	size_t bytes = taken->room * sizeof(*taken->note);

	if (taken->room > LEAST_NOTES && taken->count * 8 < taken->room) {
		size_t room = taken->room / 2;

		free_table(taken);
		make_table(&f->spare, room);
		return;
	}
	if (bytes < 64 * WM_PAGE ||
	    WM_SYS3(SYS_madvise, taken->note, bytes, 4 /* MADV_DONTNEED */))
		memset(taken->note, 0, bytes);
	taken->count = 0;
	f->spare = *taken;
}
