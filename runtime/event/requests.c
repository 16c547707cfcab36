/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open nonblocking requests of MPI.  Each message may have a request, so the
 * trace has only the requests that stay open for a while, and those that are
 * open when MPI_Finalize begins (docs/trace-format.md, 5.13).
 *
 * Open requests are in a table without locks.  Several may have the same
 * handle, because MPI has one handle for all requests that are complete when
 * they are made.  When a handle's request ends, the table prefers a request
 * with the same address in the program's memory, and among these the newest,
 * which has overwritten the others.  A request that finds no room is recorded
 * at once.
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/event/event_hooks.h"

#define PLACES 4096u
#define MOST_STEPS 256u /* from the index that the hash gives */
/* In place of a handle: there is no request, but the entry is not free yet. */
#define TAKEN 1u
/* Added to a handle while the request is being recorded.  A thread that ends
 * the request meanwhile replaces it by TAKEN. */
#define WRITING (UINT64_C(1) << 63)
/* A request is old if it has been open for more than a 16th of the program's
 * run time.  The table is searched for old requests whenever the run time has
 * grown by a 32nd. */
#define OLD_SHARE 16
#define LOOK_SHARE 32

struct request {
	uintptr_t where; /* in the program's memory */
	uint64_t time;
	size_t number; /* number of the function that made the request */
	struct wm_known_path path;
};

struct requests {
	_Atomic uintptr_t handle[PLACES]; /* 0: free */
	struct request request[PLACES];
};

static struct requests *_Atomic all;
static _Atomic uint32_t steps; /* steps that suffice to find any handle */
static _Atomic bool written;
static _Atomic uint64_t next_look;

static uint32_t place_of(uintptr_t handle, uint32_t step)
{
	uint64_t hash = handle * UINT64_C(0x9e3779b97f4a7c15);

	return ((uint32_t)(hash >> 40) + step) % PLACES;
}

static void make_table(void *unused)
{
	struct requests *t = wm_pool_map(sizeof(*t)), *none = NULL;

	(void)unused;
	if (t && !atomic_compare_exchange_strong(&all, &none, t))
		wm_pool_unmap(t, sizeof(*t));
}

static void write_request(uintptr_t handle, const struct request *r)
{
	/* Set before the request leaves the table: a thread that does not find
	 * the request there records its end. */
	atomic_store(&written, true);
	wm_rec_known(WMT_EV_MPI_ALLOC, (const void *)handle, r->number,
		     &r->path);
}

static void write_older(struct requests *t, uint64_t time)
{
	uint32_t i;

	for (i = 0; i < PLACES; i++) {
		uintptr_t handle = atomic_load_explicit(&t->handle[i],
							memory_order_acquire);

		if (handle <= TAKEN || (handle & WRITING) ||
		    t->request[i].time > time ||
		    !atomic_compare_exchange_strong(&t->handle[i], &handle,
						    handle | WRITING))
			continue;
		write_request(handle, &t->request[i]);
		if (atomic_exchange(&t->handle[i], 0) == TAKEN)
			wm_rec_release(WMT_EV_MPI_FREE, (const void *)handle);
	}
}

static void look(struct requests *t, uint64_t now)
{
	uint64_t at = atomic_load_explicit(&next_look, memory_order_relaxed);
	uint64_t ran = now - wm_state->start_ticks;

	if (wm_likely(now < at) ||
	    !atomic_compare_exchange_strong(&next_look, &at,
					    now + ran / LOOK_SHARE))
		return;
	write_older(t, now - ran / OLD_SHARE);
}

static bool put(struct requests *t, uintptr_t handle, const struct request *r)
{
	uint32_t step;

	for (step = 0; step < MOST_STEPS; step++) {
		uint32_t i = place_of(handle, step), far;
		uintptr_t none = 0;

		if (atomic_load_explicit(&t->handle[i], memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&t->handle[i], &none,
						    TAKEN))
			continue;
		far = atomic_load_explicit(&steps, memory_order_relaxed);
		while (far <= step &&
		       !atomic_compare_exchange_weak(&steps, &far, step + 1))
			;
		t->request[i] = *r;
		atomic_store_explicit(&t->handle[i], handle,
				      memory_order_release);
		return true;
	}
	return false;
}

void wm_request_begins(const void *handle, size_t number, const void *where,
		       const uintptr_t *frame)
{
	struct request r = { .where = (uintptr_t)where, .number = number };
	struct requests *t;

	if ((atomic_load_explicit(&wm_slow_reasons, memory_order_relaxed) &
	     WM_SLOW_PAUSED) ||
	    !wm_rec_path(&r.path, frame))
		return;
	if (!atomic_load_explicit(&all, memory_order_acquire))
		wm_aside(make_table, NULL);
	t = atomic_load_explicit(&all, memory_order_acquire);
	r.time = wm_clock_ticks();
	if (t)
		look(t, r.time);
	if (!t || !put(t, (uintptr_t)handle, &r))
		write_request((uintptr_t)handle, &r);
}

/* Returns the index of @handle, or PLACES if the table does not have it. */
static uint32_t find(struct requests *t, uintptr_t handle, uintptr_t where)
{
	uint32_t far = atomic_load_explicit(&steps, memory_order_relaxed);
	uint32_t best = PLACES, step;
	bool same = false;

	for (step = 0; step < far; step++) {
		uint32_t i = place_of(handle, step);
		const struct request *r = &t->request[i];

		if ((atomic_load_explicit(&t->handle[i], memory_order_acquire) &
		     ~WRITING) != handle ||
		    (same && r->where != where))
			continue;
		if (best < PLACES && same == (r->where == where) &&
		    r->time < t->request[best].time)
			continue;
		same = r->where == where;
		best = i;
	}
	return best;
}

bool wm_request_ends(const void *handle, const void *where)
{
	struct requests *t = atomic_load_explicit(&all, memory_order_acquire);
	uintptr_t h = (uintptr_t)handle;
	uint32_t i;

	while (t && (i = find(t, h, (uintptr_t)where)) < PLACES) {
		uintptr_t was = h, writing = h | WRITING;

		if (atomic_compare_exchange_strong(&t->handle[i], &was, 0) ||
		    atomic_compare_exchange_strong(&t->handle[i], &writing,
						   TAKEN))
			return true;
	}
	return false;
}

void wm_request_ended(const void *handle, const void *where)
{
	if (!wm_request_ends(handle, where) && atomic_load(&written))
		wm_rec_release(WMT_EV_MPI_FREE, handle);
}

void wm_requests_write(void)
{
	struct requests *t = atomic_load_explicit(&all, memory_order_acquire);

	if (t)
		write_older(t, UINT64_MAX);
}
