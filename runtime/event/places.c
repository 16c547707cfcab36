/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address space without access (PROT_NONE): no memory yet, but a place for
 * some.  The program's own places, and those of the C library's allocator,
 * whose growth is summed up here as the footprint of the heap.
 *
 * Cold: called around mmap and its like.  Bounded tables; what does not fit
 * counts as memory at once (places), or ends the sum (footprint).
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/base/footprint.h"
#include "runtime/base/lock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/hooks.h"

#define PLACES 1024
#define ARENAS 512

struct place {
	uintptr_t start, end;
	size_t opened; /* an arena's: bytes that have access */
};

static struct place places[PLACES], arenas[ARENAS];
static _Atomic size_t place_count, arena_count;
static struct wm_lock lock;

static bool take_lock(void)
{
	wm_lock_take(&lock);
	if (!wm_state || !wm_forked(wm_state))
		return true;
	wm_lock_drop(&lock);
	return false;
}

static bool put_reservation(struct place *table, _Atomic size_t *count,
			    size_t limit, uintptr_t start, uintptr_t end)
{
	size_t n = atomic_load_explicit(count, memory_order_relaxed);

	if (n == limit)
		return false;
	table[n] = (struct place){ start, end, 0 };
	atomic_store_explicit(count, n + 1, memory_order_relaxed);
	return true;
}

static void drop_reservation(struct place *table, _Atomic size_t *count,
			     size_t i)
{
	size_t n = atomic_load_explicit(count, memory_order_relaxed) - 1;

	table[i] = table[n];
	atomic_store_explicit(count, n, memory_order_relaxed);
}

/* Index of a place that [@start, @end) touches, or the table's count. */
static size_t find_reservation(const struct place *table,
			       const _Atomic size_t *count, uintptr_t start,
			       uintptr_t end)
{
	size_t n = atomic_load_explicit(count, memory_order_relaxed), i;

	for (i = 0; i < n; i++)
		if (table[i].start < end && start < table[i].end)
			break;
	return i;
}

bool wm_place_put(const void *start, size_t size)
{
	bool kept;

	if (!take_lock())
		return false;
	kept = put_reservation(places, &place_count, PLACES, (uintptr_t)start,
			       (uintptr_t)start + size);
	wm_lock_drop(&lock);
	return kept;
}

bool wm_place_take(const void *start, size_t size, void **piece, size_t *bytes)
{
	uintptr_t from = (uintptr_t)start, to = from + size;
	struct place p;
	size_t i;
	bool found;

	if (!atomic_load_explicit(&place_count, memory_order_relaxed) ||
	    !take_lock())
		return false;
	i = find_reservation(places, &place_count, from, to);
	found = i < atomic_load_explicit(&place_count, memory_order_relaxed);
	if (found) {
		p = places[i];
		drop_reservation(places, &place_count, i);
		/* a rest that does not fit is forgotten: it never counts */
		if (p.start < from)
			put_reservation(places, &place_count, PLACES, p.start,
					from);
		else
			from = p.start;
		if (p.end > to)
			put_reservation(places, &place_count, PLACES, to,
					p.end);
		else
			to = p.end;
		*piece = (void *)from;
		*bytes = to - from;
	}
	wm_lock_drop(&lock);
	return found;
}

void wm_place_forget(const void *start, size_t size)
{
	void *piece;
	size_t bytes;

	while (wm_place_take(start, size, &piece, &bytes))
		;
}

/* The arena that [@start, @end) touches, or NULL.  With the lock. */
static struct place *arena_at(uintptr_t start, uintptr_t end)
{
	size_t i = find_reservation(arenas, &arena_count, start, end);

	return i < atomic_load_explicit(&arena_count, memory_order_relaxed) ?
		       &arenas[i] :
		       NULL;
}

void wm_heap_change(enum wm_heap_change what, const void *start, size_t size)
{
	uintptr_t from = (uintptr_t)start, to = from + size;
	int64_t bytes = 0;
	struct place *a;
	bool seen = true;

	if (!take_lock())
		return;
	a = arena_at(from, to);
	switch (what) {
	case WM_HEAP_RESERVED:
		if (!a)
			seen = put_reservation(arenas, &arena_count, ARENAS,
					       from, to);
		else /* mapped anew: what was opened there is gone */
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
}

void wm_heap_break(intptr_t bytes)
{
	wm_footprint_grow(bytes);
}

long wm_kernel(long number, long a, long b, long c, long d, long e, long f)
{
	return wm_sys6(number, a, b, c, d, e, f);
}
