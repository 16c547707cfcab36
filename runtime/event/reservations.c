/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address space without access (PROT_NONE), which is not memory yet: the
 * program's reservations, and those of the C library's allocator, whose growth
 * is added up as the footprint of the heap.
 *
 * A reservation of the program for which there is no room counts as memory at
 * once.  If there is none for a reservation of the allocator, the footprint is
 * no longer recorded.
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/base/footprint.h"
#include "runtime/base/lock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/event_hooks.h"

#define MAX_RESERVATIONS 1024
#define MAX_ARENAS 512

struct reservation {
	uintptr_t start, end;
	size_t opened; /* an arena's bytes that have access */
	uint64_t number; /* in the order of the calls */
};

static struct reservation reservations[MAX_RESERVATIONS], arenas[MAX_ARENAS];
static _Atomic size_t reservation_count, arena_count;
static _Atomic uint64_t next_number = 1;
static struct wm_lock lock;

static bool take_lock(void)
{
	wm_lock_take(&lock);
	if (!wm_state || !wm_forked(wm_state))
		return true;
	wm_lock_drop(&lock);
	return false;
}

static bool put_reservation(struct reservation *table, _Atomic size_t *count,
			    size_t limit, uintptr_t start, uintptr_t end,
			    uint64_t number)
{
	size_t n = atomic_load_explicit(count, memory_order_relaxed);

	if (n == limit)
		return false;
	table[n] = (struct reservation){ start, end, 0, number };
	atomic_store_explicit(count, n + 1, memory_order_relaxed);
	return true;
}

static void drop_reservation(struct reservation *table, _Atomic size_t *count,
			     size_t i)
{
	size_t n = atomic_load_explicit(count, memory_order_relaxed) - 1;

	table[i] = table[n];
	atomic_store_explicit(count, n, memory_order_relaxed);
}

/* Returns the index of a reservation that overlaps with [@start, @end) and has
 * a number below @older, or the table's count. */
static size_t find_reservation(const struct reservation *table,
			       const _Atomic size_t *count, uintptr_t start,
			       uintptr_t end, uint64_t older)
{
	size_t n = atomic_load_explicit(count, memory_order_relaxed), i;

	for (i = 0; i < n; i++)
		if (table[i].start < end && start < table[i].end &&
		    table[i].number < older)
			break;
	return i;
}

bool wm_reservation_add(const void *start, size_t size)
{
	bool added;

	if (!take_lock())
		return false;
	added = put_reservation(reservations, &reservation_count,
				MAX_RESERVATIONS, (uintptr_t)start,
				(uintptr_t)start + size,
				atomic_fetch_add(&next_number, 1));
	wm_lock_drop(&lock);
	return added;
}

static bool take_piece(const void *start, size_t size, uint64_t older,
		       void **piece, size_t *bytes)
{
	uintptr_t from = (uintptr_t)start, to = from + size;
	struct reservation p;
	size_t i;
	bool found;

	if (!atomic_load_explicit(&reservation_count, memory_order_relaxed) ||
	    !take_lock())
		return false;
	i = find_reservation(reservations, &reservation_count, from, to, older);
	found = i <
		atomic_load_explicit(&reservation_count, memory_order_relaxed);
	if (found) {
		p = reservations[i];
		drop_reservation(reservations, &reservation_count, i);
		/* A rest for which there is no room never counts. */
		if (p.start < from)
			put_reservation(reservations, &reservation_count,
					MAX_RESERVATIONS, p.start, from,
					p.number);
		else
			from = p.start;
		if (p.end > to)
			put_reservation(reservations, &reservation_count,
					MAX_RESERVATIONS, to, p.end, p.number);
		else
			to = p.end;
		*piece = (void *)from;
		*bytes = to - from;
	}
	wm_lock_drop(&lock);
	return found;
}

bool wm_reservation_take(const void *start, size_t size, void **piece,
			 size_t *bytes)
{
	return take_piece(start, size, WM_ANY_RESERVATION, piece, bytes);
}

uint64_t wm_reservation_now(void)
{
	return atomic_load(&next_number);
}

void wm_reservation_forget(const void *start, size_t size, uint64_t older)
{
	void *piece;
	size_t bytes;

	while (take_piece(start, size, older, &piece, &bytes))
		;
}

/* Returns the arena that overlaps [@start, @end), or NULL.  Under the lock. */
static struct reservation *arena_at(uintptr_t start, uintptr_t end)
{
	size_t i = find_reservation(arenas, &arena_count, start, end,
				    WM_ANY_RESERVATION);

	return i < atomic_load_explicit(&arena_count, memory_order_relaxed) ?
		       &arenas[i] :
		       NULL;
}

int64_t wm_heap_change(enum wm_heap_change what, const void *start, size_t size)
{
	uintptr_t from = (uintptr_t)start, to = from + size;
	int64_t bytes = 0;
	struct reservation *a;
	bool seen = true;

	if (!take_lock())
		return 0;
	a = arena_at(from, to);
	switch (what) {
	case WM_HEAP_RESERVED:
		if (!a)
			seen = put_reservation(arenas, &arena_count, MAX_ARENAS,
					       from, to, 0);
		else /* mapped anew: the opened part is replaced */
			bytes = -(int64_t)size;
		break;
	case WM_HEAP_MAPPED:
	case WM_HEAP_OPENED:
		bytes = (int64_t)size;
		break;
	case WM_HEAP_UNMAPPED:
		if (!a) {
			bytes = -(int64_t)size;
		} else if (from <= a->start && to >= a->end) {
			bytes = -(int64_t)a->opened;
			drop_reservation(arenas, &arena_count,
					 (size_t)(a - arenas));
			a = NULL;
		} else if (from <= a->start) {
			a->start = to;
		} else {
			a->end = from;
		}
		break;
	}
	if (a)
		a->opened += (size_t)bytes;
	wm_lock_drop(&lock);
	if (!seen)
		wm_footprint_end();
	if (bytes)
		wm_footprint_grow(bytes);
	return bytes;
}

void wm_heap_break(intptr_t bytes)
{
	wm_footprint_grow(bytes);
}

long wm_kernel(long number, long a, long b, long c, long d, long e, long f)
{
	return wm_sys6(number, a, b, c, d, e, f);
}
