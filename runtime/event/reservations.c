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

static struct reservation reserved_rows[MAX_RESERVATIONS];
static struct reservation arena_rows[MAX_ARENAS];

static struct table {
	struct reservation *row;
	size_t limit;
	_Atomic size_t count;
} reserved = { reserved_rows, MAX_RESERVATIONS, 0 },
  arenas = { arena_rows, MAX_ARENAS, 0 };

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

static bool put_reservation(struct table *t, uintptr_t start, uintptr_t end,
			    uint64_t number)
{
	size_t n = atomic_load_explicit(&t->count, memory_order_relaxed);

	if (n == t->limit)
		return false;
	t->row[n] = (struct reservation){ start, end, 0, number };
	atomic_store_explicit(&t->count, n + 1, memory_order_relaxed);
	return true;
}

static void drop_reservation(struct table *t, struct reservation *r)
{
	size_t n = atomic_load_explicit(&t->count, memory_order_relaxed) - 1;

	*r = t->row[n];
	atomic_store_explicit(&t->count, n, memory_order_relaxed);
}

/* Returns a reservation that overlaps with [@start, @end) and has a number
 * below @older, or NULL. */
static struct reservation *find_reservation(struct table *t, uintptr_t start,
					    uintptr_t end, uint64_t older)
{
	size_t n = atomic_load_explicit(&t->count, memory_order_relaxed);

	for (struct reservation *r = t->row; r < t->row + n; r++)
		if (r->start < end && start < r->end && r->number < older)
			return r;
	return NULL;
}

bool wm_reservation_add(const void *start, size_t size)
{
	bool added;

	if (!take_lock())
		return false;
	added = put_reservation(&reserved, (uintptr_t)start,
				(uintptr_t)start + size,
				atomic_fetch_add(&next_number, 1));
	wm_lock_drop(&lock);
	return added;
}

bool wm_reservation_take(const void *start, size_t size, uint64_t older,
			 void **piece, size_t *bytes)
{
	uintptr_t from = (uintptr_t)start, to = from + size;
	struct reservation *found, r;

	if (!atomic_load_explicit(&reserved.count, memory_order_relaxed) ||
	    !take_lock())
		return false;
	found = find_reservation(&reserved, from, to, older);
	if (found) {
		r = *found;
		drop_reservation(&reserved, found);
		/* A rest for which there is no room never counts. */
		if (r.start < from)
			put_reservation(&reserved, r.start, from, r.number);
		else
			from = r.start;
		if (r.end > to)
			put_reservation(&reserved, to, r.end, r.number);
		else
			to = r.end;
		*piece = (void *)from;
		*bytes = to - from;
	}
	wm_lock_drop(&lock);
	return found;
}

uint64_t wm_reservation_now(void)
{
	return atomic_load(&next_number);
}

void wm_reservation_forget(const void *start, size_t size, uint64_t older)
{
	void *piece;
	size_t bytes;

	while (wm_reservation_take(start, size, older, &piece, &bytes))
		;
}

int64_t wm_heap_change(enum wm_heap_change what, const void *start, size_t size)
{
	uintptr_t from = (uintptr_t)start, to = from + size;
	int64_t bytes = 0;
	struct reservation *a;
	bool seen = true;

	if (!take_lock())
		return 0;
	a = find_reservation(&arenas, from, to, WM_ANY_RESERVATION);
	switch (what) {
	case WM_HEAP_RESERVED:
		if (!a)
			seen = put_reservation(&arenas, from, to, 0);
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
			drop_reservation(&arenas, a);
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

long wm_kernel(long number, long a, long b, long c, long d, long e, long f)
{
	return wm_sys6(number, a, b, c, d, e, f);
}
