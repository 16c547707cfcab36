/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hot path: one event becomes one record in the thread's buffer.  One
 * predictable test (`cur >= end`) covers full, off, not set up and forked.
 */
#include "wm/trace_format.h"

#include "runtime/clock.h"
#include "runtime/names.h"
#include "runtime/stackdb.h"
#include "runtime/state.h"
#include "runtime/text.h"
#include "runtime/unwind_walk.h"
#include "runtime/usage.h"
#include "runtime/window.h"

__thread uintptr_t wm_depth;
__thread struct wm_slot *wm_self;

static inline struct wm_slot *slot_with_room(void)
{
	struct wm_slot *s = wm_self;

	if (wm_unlikely(!s || atomic_load_explicit(&s->cur,
						   memory_order_relaxed) >=
				      s->end))
		return wm_slot_room();
	return s;
}

static inline void put(struct wm_slot *s, unsigned kind, const void *p,
		       size_t size, uint32_t stack, uint64_t time)
{
	struct wm_rec *r = atomic_load_explicit(&s->cur, memory_order_relaxed);

	/* a signal handler has forked, and this is the child: wiped */
	if (wm_unlikely(!r))
		return;
	r->time = time;
	r->addr = (uintptr_t)p;
	r->size = size;
	r->stack = stack;
	/* last: a killed process leaves a whole record or none */
	atomic_signal_fence(memory_order_release);
	r->kind = kind | s->tag;
	/* pairs with the acquire in wm_flush_slot() of another thread */
	atomic_store_explicit(&s->cur, r + 1, memory_order_release);
}

/* The number of the call path when the table unwinder finds it along the last
 * one and it is known in the buffer's generation; else WM_STACKDB_FULL. */
static inline uint32_t quick_path(struct wm_slot *s, const uintptr_t *frame)
{
	struct wm_walk *w = s->quick;

	if (wm_unlikely(!w || s->closings != atomic_load_explicit(
						     &wm_closings,
						     memory_order_acquire)))
		return WM_STACKDB_FULL;
	return wm_walk_number(w, frame, s->generation);
}

static __attribute__((noinline)) void
alloc_slowly(struct wm_slot *s, unsigned kind, const void *p, size_t size,
	     const uintptr_t *frame, uint64_t now)
{
	uint32_t stack = wm_stack_take(s, frame);

	/* a new generation of stacks has flushed the buffer, or has ended
	 * the recording */
	if (wm_self != s ||
	    atomic_load_explicit(&s->cur, memory_order_relaxed) >= s->end)
		wm_drop(1, NULL);
	else if (stack == WM_STACKDB_NONE)
		wm_drop(1, "cannot get memory for call paths");
	else
		put(s, kind, p, size, stack, now);
}

/* 1: the allocation is not to be recorded. */
static __attribute__((noinline)) int extra_alloc(unsigned kind, const void *p)
{
	int extra = atomic_load_explicit(&wm_extra, memory_order_relaxed);

	if (extra & WM_EXTRA_USABLE)
		wm_usage_alloc(kind, p);
	return (extra & WM_EXTRA_PAUSED) && wm_pause_skips(kind, p);
}

void wm_rec_alloc(unsigned kind, const void *p, size_t size,
		  const uintptr_t *frame)
{
	struct wm_slot *s;
	uint64_t now;
	uint32_t stack;

	if (wm_unlikely(atomic_load_explicit(&wm_extra,
					     memory_order_relaxed)) &&
	    extra_alloc(kind, p))
		return;
	s = slot_with_room();
	if (wm_unlikely(!s))
		return;
	if (wm_unlikely(!p))
		kind = WMT_EV_FAILED;
	now = wm_clock_stamp(&s->stamp);
	stack = quick_path(s, frame);
	if (wm_likely(stack != WM_STACKDB_FULL))
		put(s, kind, p, size, stack, now);
	else
		alloc_slowly(s, kind, p, size, frame, now);
}

void wm_rec_release(unsigned kind, const void *p)
{
	struct wm_slot *s;

	if (wm_unlikely(atomic_load_explicit(&wm_extra,
					     memory_order_relaxed) &
			WM_EXTRA_USABLE))
		wm_usage_release(kind, p);
	s = slot_with_room();
	if (wm_likely(s != NULL))
		put(s, kind, p, 0, 0, wm_clock_stamp(&s->stamp));
}

void wm_rec_gone(void)
{
	struct wm_slot *s = slot_with_room();

	if (wm_likely(s != NULL))
		put(s, WMT_EV_REALLOC_GONE, NULL, 0, 0, wm_clock_stamp(&s->stamp));
}

void wm_rec_note(unsigned kind, const void *p, uint64_t extra)
{
	struct wm_slot *s = slot_with_room();

	if (wm_likely(s != NULL))
		put(s, kind, p, extra, 0, wm_clock_stamp(&s->stamp));
}

void wm_rec_left(void)
{
	struct wm_slot *s = wm_self;
	struct wm_walk *w = s ? s->walk : NULL;

	if (w)
		wm_walk_restart(w);
}

void wm_drop(uint64_t n, const char *reason)
{
	struct wm_state *st = wm_state;

	int phase;

	if (!st || wm_forked(st))
		return;
	phase = atomic_load_explicit(&st->phase, memory_order_relaxed);
	/* what busy threads do after the end is not part of the trace */
	if (phase == WM_PHASE_ENDED)
		return;
	if (phase == WM_PHASE_CAPPED) {
		atomic_fetch_add_explicit(&st->not_written, n,
					  memory_order_relaxed);
		return;
	}
	atomic_fetch_add_explicit(&st->dropped, n, memory_order_relaxed);
	if (reason && !st->drop_reason[0]) {
		struct wm_text t = wm_text_on(st->drop_reason,
					      sizeof(st->drop_reason));

		wm_text_add(&t, reason);
	}
	wm_window_dropped(st, n);
}
