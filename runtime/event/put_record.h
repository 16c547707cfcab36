/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one record into the buffer of the calling thread, for record.c and
 * mark.c. */
#pragma once

#include "runtime/base/losses.h"
#include "runtime/base/state.h"
#include "runtime/event/slot.h"
#include "runtime/trace/accesses.h"

static inline struct wm_slot *slot_with_room(void)
{
	struct wm_slot *s = wm_self;

	if (wm_unlikely(!s ||
			atomic_load_explicit(&s->cur, memory_order_relaxed) >=
				s->end))
		return wm_slot_room();
	return s;
}

static inline void put_record(struct wm_slot *s, unsigned kind, const void *p,
			      size_t size, uint32_t stack, uint64_t time)
{
	struct wm_rec *r = atomic_load_explicit(&s->cur, memory_order_relaxed);

	/* Since the first test a signal handler may have filled the last
	 * record, or this may be the child of its fork.  So `end` is read
	 * again, after `cur`: the child's `cur` is never below the parent's. */
	atomic_signal_fence(memory_order_acquire);
	if (wm_unlikely(r >= *(struct wm_rec *const volatile *)&s->end)) {
		wm_drop(1, NULL);
		return;
	}
	r->time = time;
	r->addr = (uintptr_t)p;
	r->size = size;
	r->stack = stack;
	/* Stored last: a killed process leaves a complete record or none. */
	atomic_signal_fence(memory_order_release);
	r->kind = kind | s->tag;
	/* pairs with the acquires in empty_slot() and write_out_slot() in
	 * writer.c, which another thread may run */
	atomic_store_explicit(&s->cur, r + 1, memory_order_release);
}

/* Called after a record, so that it precedes later loads and stores. */
static inline void note_accesses(void)
{
	struct wm_slot *s = wm_self;

	if ((atomic_load_explicit(&wm_slow_reasons, memory_order_relaxed) &
	     WM_SLOW_ACCESSES) &&
	    s)
		wm_access_note(s);
}
