/* SPDX-License-Identifier: Apache-2.0 */
/* The hot path: one event becomes one record in the thread's buffer.  One
 * predictable test (`cur >= end`) finds a buffer that is full, not set up,
 * switched off, or wiped by a fork. */
#include <stdbool.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/losses.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/callpath/callpath.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/callpath/unwind_walk.h"
#include "runtime/event/event_hooks.h"
#include "runtime/event/holding.h"
#include "runtime/event/looks.h"
#include "runtime/event/put_record.h"
#include "runtime/event/slot.h"
#include "runtime/process/start.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/resident.h"
#include "runtime/trace/usage.h"
#include "runtime/trace/writer.h"

/* The values of an allocation wait in the slot while its path is captured,
 * because registers across a call would cost more instructions than the rest of
 * the event.  The next record would be the wrong place: the child of a
 * handler's fork may share it with its parent. */
static inline void park(struct wm_slot *s, unsigned kind, const void *p,
			size_t size, const uintptr_t *frame)
{
	s->parked.kind = kind;
	s->parked.p = p;
	s->parked.size = size;
	s->parked.frame = frame;
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void put_parked(struct wm_slot *s, uint32_t stack, uint64_t time)
{
	atomic_signal_fence(memory_order_seq_cst);
	put_record(s, s->parked.kind, s->parked.p, s->parked.size, stack, time);
}

static void note_large(unsigned kind, const void *p, size_t size)
{
	if (kind == WMT_EV_THREAD_STACK && p)
		wm_resident_stack(p, size);
	if (wm_unlikely(size >= WM_HOLDING_LEAST) && p)
		wm_holding_gain(kind, p);
	if (wm_unlikely(size >= WM_MEMORY_LEAST) && p)
		wm_looks_gain(kind, p);
}

/* Called while recording is paused.  Returns true if the allocation is not
 * recorded; then it has been counted as skipped. */
static bool pause_skips(unsigned kind, const void *p)
{
	/* A child's first event: the pause is its parent's. */
	if (wm_forked(wm_state))
		return false;
	switch (kind) {
	case WMT_EV_REMAP_IN:
	case WMT_EV_BREAK_UP:
		/* These calls move or grow recorded memory. */
		return false;
	case WMT_EV_REALLOC_IN:
		if (!p)
			return false; /* the old block remains */
		wm_rec_mark(WMT_EV_REALLOC_GONE, NULL, 0);
		break;
	default:
		if (!p || wmt_is_handle((uintptr_t)p))
			return true;
	}
	atomic_fetch_add_explicit(&wm_state->skipped, 1, memory_order_relaxed);
	return true;
}

/* Returns the time of an event that changes the totals in usable bytes, and
 * continues their curve up to that time. */
static uint64_t counted_time(void)
{
	struct wm_slot *s = wm_self;
	uint64_t now = s ? wm_clock_stamp(&s->stamp) : wm_clock_ticks();

	if (wm_unlikely(now >= atomic_load_explicit(&wm_usage_until,
						    memory_order_relaxed)))
		wm_aside(wm_usage_next_bin, &now);
	return now;
}

/* Returns true if the allocation is not recorded.  Stores the time in *@now if
 * it had to be taken. */
static bool count_or_skip(unsigned kind, const void *p, uint64_t *now)
{
	int reasons = atomic_load_explicit(&wm_slow_reasons,
					   memory_order_relaxed);

	if (reasons & WM_SLOW_USABLE) {
		*now = counted_time();
		wm_usage_alloc(kind, p);
	}
	return (reasons & WM_SLOW_PAUSED) && pause_skips(kind, p);
}

static void capture_path(void *arg)
{
	const struct wm_parked *e = arg;
	struct wm_slot *s = slot_with_room();
	uint64_t now;
	uint32_t stack;

	if (!s)
		return;
	now = wm_clock_stamp(&s->stamp);
	stack = wm_path_capture(s, e->frame);
	if (stack == WM_PATHDB_NONE)
		wm_drop(1, "cannot get memory for call paths");
	else
		put_record(s, e->p ? e->kind : WMT_EV_FAILED, e->p, e->size,
			   stack, now);
	note_accesses();
	note_large(e->kind, e->p, e->size);
}

static __attribute__((noinline)) void
alloc_aside(unsigned kind, const void *p, size_t size, const uintptr_t *frame)
{
	struct wm_parked e = { p, size, frame, kind };

	wm_aside(capture_path, &e);
}

/* Returns the path's number if it can be found on the program's stack: along
 * the last path or among recent paths.  Else returns WM_PATHDB_FULL. */
static inline uint32_t quick_number(struct wm_slot *s, const uintptr_t *frame)
{
	/* read once: a handler may fork, and the child's slot is wiped */
	struct wm_walk *w = *(struct wm_walk *const volatile *)&s->quick;

	if (wm_unlikely(!w ||
			s->closings !=
				atomic_load_explicit(&wm_closings,
						     memory_order_acquire)))
		return WM_PATHDB_FULL;
	return wm_walk_number(w, frame, s->generation);
}

static __attribute__((noinline)) void
alloc_slowly(unsigned kind, const void *p, size_t size, const uintptr_t *frame)
{
	struct wm_slot *s;
	uint64_t now = 0;
	uint32_t stack;

	/* A child whose slots were not wiped must not wait for locks. */
	if (wm_state && !wm_state->wipes && !wm_forked(wm_state) &&
	    wm_sys_getpid() != wm_state->pid)
		return;
	/* The start reads the options, which the first event also needs. */
	if (wm_unlikely(!wm_state) && !wm_start_event())
		return;
	if (count_or_skip(kind, p, &now))
		return;
	s = slot_with_room();
	if (!s)
		return;
	stack = wm_options.unwind == WM_UNWIND_NONE ?
			wm_callpath_of_caller(s, frame) :
			quick_number(s, frame);
	if (stack == WM_PATHDB_FULL) {
		alloc_aside(kind, p, size, frame);
		return;
	}
	put_record(s, p ? kind : WMT_EV_FAILED, p, size, stack,
		   now ? now : wm_clock_stamp(&s->stamp));
	note_accesses();
	note_large(kind, p, size);
}

static __attribute__((noinline)) void release_slowly(unsigned kind,
						     const void *p)
{
	int reasons = atomic_load_explicit(&wm_slow_reasons,
					   memory_order_relaxed);
	uint64_t now = 0;
	struct wm_slot *s;

	if (reasons & WM_SLOW_HOLDERS)
		wm_holding_release(p);
	if (reasons & WM_SLOW_LOOKS)
		wm_looks_release(p);
	if (reasons & WM_SLOW_USABLE) {
		now = counted_time();
		wm_usage_release(kind, p);
	}
	s = slot_with_room();
	if (s)
		put_record(s, kind, p, 0, 0,
			   now ? now : wm_clock_stamp(&s->stamp));
	note_accesses();
}

static inline bool is_slow(const struct wm_slot *s, int reasons)
{
	return !s ||
	       atomic_load_explicit(&s->cur, memory_order_relaxed) >= s->end ||
	       (atomic_load_explicit(&wm_slow_reasons, memory_order_relaxed) &
		reasons);
}

static __attribute__((noinline)) void put_parked_now(struct wm_slot *s,
						     uint32_t stack)
{
	put_parked(s, stack, wm_clock_stamp(&s->stamp));
}

static __attribute__((noinline)) void parked_aside(struct wm_slot *s)
{
	struct wm_parked e = s->parked;
	uint32_t stack;

	if (!e.frame) {
		wm_drop(1, NULL);
		return;
	}
	if (wm_options.unwind == WM_UNWIND_NONE) {
		stack = wm_callpath_of_caller(s, e.frame);
		if (stack != WM_PATHDB_FULL) {
			put_parked_now(s, stack);
			return;
		}
	}
	wm_aside(capture_path, &e);
}

void wm_rec_alloc(unsigned kind, const void *p, size_t size,
		  const uintptr_t *frame)
{
	struct wm_slot *s = wm_self;
	uint64_t now;
	uint32_t stack;

	if (wm_unlikely(is_slow(s, WM_SLOW_ANY) || !p ||
			size >= WM_HOLDING_LEAST)) {
		alloc_slowly(kind, p, size, frame);
		return;
	}
	park(s, kind, p, size, frame);
	stack = quick_number(s, frame);
	if (wm_unlikely(stack == WM_PATHDB_FULL)) {
		parked_aside(s);
		return;
	}
	if (wm_unlikely(!wm_clock_stamp_ready(&s->stamp, &now)))
		put_parked_now(s, stack);
	else
		put_parked(s, stack, now);
}

struct wanted_path {
	const uintptr_t *frame;
	struct wm_known_path path;
};

static void find_path(void *arg)
{
	struct wanted_path *w = arg;
	struct wm_slot *s = slot_with_room();

	w->path.stack = s ? wm_path_capture(s, w->frame) : WM_PATHDB_NONE;
	w->path.generation = s ? s->generation : 0;
}

bool wm_rec_path(struct wm_known_path *path, const uintptr_t *frame)
{
	struct wm_slot *s = wm_state ? slot_with_room() : NULL;
	struct wanted_path w = { .frame = frame };

	if (!s)
		return false;
	w.path.generation = s->generation;
	w.path.stack = wm_options.unwind == WM_UNWIND_NONE ?
			       wm_callpath_of_caller(s, frame) :
			       quick_number(s, frame);
	if (w.path.stack == WM_PATHDB_FULL)
		wm_aside(find_path, &w);
	if (w.path.stack == WM_PATHDB_NONE)
		wm_drop(1, "cannot get memory for call paths");
	*path = w.path;
	return path->stack != WM_PATHDB_NONE;
}

struct wanted_place {
	const uintptr_t *frame;
	uintptr_t start;
	size_t bytes;
	bool found;
};

static void find_place(void *arg)
{
	struct wanted_place *w = arg;
	struct wm_slot *s = slot_with_room();
	struct wm_callpath path;

	if (!s)
		return;
	wm_callpath_unwind(s, w->frame, &path);
	for (size_t i = 0; i < path.depth && !w->found; i++)
		w->found = path.frames[i] - w->start < w->bytes;
}

bool wm_path_leads_through(const uintptr_t *frame, uintptr_t start,
			   size_t bytes)
{
	struct wanted_place w = { .frame = frame,
				  .start = start,
				  .bytes = bytes };

	if (wm_state)
		wm_aside(find_place, &w);
	return w.found;
}

void wm_rec_known(unsigned kind, const void *p, size_t size,
		  const struct wm_known_path *path)
{
	struct wm_slot *s = slot_with_room();

	if (!s)
		return;
	/* A block's paths have one generation; the trace keeps older ones. */
	if (wm_unlikely(s->generation != path->generation))
		wm_writer_new_filling(s, path->generation);
	put_record(s, kind, p, size, path->stack, wm_clock_stamp(&s->stamp));
	note_accesses();
}

void wm_rec_release(unsigned kind, const void *p)
{
	struct wm_slot *s = wm_self;
	uint64_t now;

	if (wm_unlikely(is_slow(s, -1) ||
			!wm_clock_stamp_ready(&s->stamp, &now)))
		release_slowly(kind, p);
	else
		put_record(s, kind, p, 0, 0, now);
}

/* Returns the number of the thread's last record, from 1 on, or 0 if that
 * record has another kind or address, because the event was lost. */
static uint64_t last_event(unsigned kind, const void *p)
{
	const struct wm_slot *s = wm_self;
	const struct wm_rec *r;

	if (!s || !s->base)
		return 0;
	r = atomic_load_explicit(&s->cur, memory_order_relaxed) - 1;
	return r >= s->base && WM_REC_KIND(r) == kind &&
			       r->addr == (uintptr_t)p ?
		       wm_slot_events(s) :
		       0;
}

/* Begins to wait for the record of the call whose frame is at @here.  Returns
 * false if an outer call already waits for its own record.  A call that was
 * left by longjmp no longer waits. */
static bool begin_waiting(struct wm_slot *s, uintptr_t here)
{
	if (atomic_load_explicit(&s->unsettled, memory_order_relaxed) &&
	    here < s->unsettled_from)
		return false;
	s->unsettled_from = here;
	atomic_store_explicit(&s->unsettled, wm_slot_events(s) + 1,
			      memory_order_relaxed);
	return true;
}

struct wm_tentative wm_rec_tentative(unsigned kind, const void *p,
				     uint64_t extra)
{
	struct wm_slot *s = slot_with_room();
	struct wm_tentative release = { 0, false };

	if (wm_likely(s != NULL)) {
		/* first: a thread that sees the record sees that it waits */
		release.waits =
			begin_waiting(s, (uintptr_t)__builtin_frame_address(0));
		put_record(s, kind, p, extra, 0, wm_clock_stamp(&s->stamp));
		release.event = last_event(kind, p);
	}
	note_accesses();
	return release;
}

void wm_rec_settled(struct wm_tentative release, bool refused)
{
	if (refused)
		wm_rec_refused(release.event);
	if (release.waits && wm_self)
		atomic_store_explicit(&wm_self->unsettled, 0,
				      memory_order_release);
}

uint64_t wm_rec_revocable(unsigned kind, const void *p)
{
	wm_rec_release(kind, p);
	return last_event(kind, p);
}

void wm_rec_refused(uint64_t event)
{
	struct wm_slot *s = wm_self;

	if (event && s && s->base && wm_state && !wm_forked(wm_state))
		wm_writer_refused(s, event - 1);
}
