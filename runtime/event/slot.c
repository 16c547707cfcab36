/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/event/slot.h"

#include <errno.h>
#include <stdbool.h>

#include "runtime/base/lock.h"
#include "runtime/base/losses.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/callpath.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/callpath/unwind_walk.h"
#include "runtime/process/child.h"
#include "runtime/process/start.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/writer.h"

static struct wm_lock slots_lock;

/* No hook of ours runs when a thread ends: the kernel is asked, by signal 0
 * (decisions.md, Trace: slots outlive their threads). */
static bool owner_is_dead(const struct wm_slot *s)
{
	return WM_SYS3(SYS_tgkill, wm_state->pid, s->tid, 0) == -ESRCH;
}

/* Finds and empties a slot whose thread has ended; NULL: there is none.  Stops
 * at the first, which among short threads is a young one.  A search without
 * result costs a call for each slot; the next one waits until the number of
 * slots has doubled.  A slot of @me belonged to an earlier thread with the same
 * number. */
static struct wm_slot *find_dead(int me)
{
	struct wm_state *st = wm_state;
	struct wm_slot *s = atomic_load(&st->slots);
	uint32_t live = 0;

	/* the kernel would find the thread that has the number now */
	while (s && s->tid != me)
		s = s->next;
	if (!s && st->slots_used >= st->slots_scan_at) {
		for (s = atomic_load(&st->slots); s; s = s->next, live++)
			if (owner_is_dead(s))
				break;
		if (!s)
			st->slots_scan_at = 2 * live > 8 ? 2 * live : 8;
	}
	if (s) {
		wm_writer_flush(s);
		wm_access_write_out(s->accesses);
	}
	return s;
}

static struct wm_slot *make_slot(void)
{
	struct wm_state *st = wm_state;
	struct wm_slot *s = wm_pool_map_with(wm_crash_buffer_slot_bytes(),
					     wm_callpath_bytes());

	if (s && !wm_pool_wipe(s, wm_crash_buffer_slot_bytes()) && st->wipes) {
		/* a forked child would record into it */
		wm_pool_unmap(s, wm_crash_buffer_slot_bytes());
		s = NULL;
	}
	if (!s)
		return NULL;
	s->base = (void *)((char *)s + 2 * WM_PAGE);
	/* empty, as no thread may take it if the trace just ends */
	s->end = s->base;
	atomic_store(&s->cur, s->base);
	s->stack = wm_stack_new(WM_ASIDE_BYTES);
	s->next = atomic_load(&st->slots);
	st->slots_used++;
	/* pairs with the loads of find_dead() and wm_slots_write_out(): a
	 * thread that finds the slot finds it whole */
	atomic_store_explicit(&st->slots, s, memory_order_release);
	return s;
}

static struct wm_slot *take_slot(void)
{
	struct wm_state *st = wm_state;
	int me = wm_sys_gettid();
	struct wm_slot *s;

	wm_lock_take(&slots_lock);
	s = find_dead(me);
	if (!s)
		s = make_slot();
	if (s && atomic_load(&st->tracing) == WM_TRACING_ON) {
		s->tid = me;
		s->at = (uintptr_t)&wm_self;
		s->thread = atomic_fetch_add(&st->threads, 1);
		/* before this thread's first stamp (decisions.md, Trace: up to
		 * 16 events share one while only one thread makes events) */
		if (s->thread)
			wm_clock_exact();
		s->generation = wm_pathdb_generation();
		s->first = 0;
		atomic_store(&s->cur, s->base);
		wm_writer_begin_slot(s);
		s->end = s->base +
			 wm_options.buffer_bytes / sizeof(struct wm_rec);
		wm_self = s;
		if (s->walk)
			wm_walk_begin(s->walk, me == st->pid);
	} else {
		s = NULL;
	}
	wm_lock_drop(&slots_lock);
	return s;
}

/* The thread's slot, emptied, or a new one: *(struct wm_slot **)@room. */
static void make_room(void *room)
{
	struct wm_state *st = wm_state;
	struct wm_slot *s = wm_self, **out = room;

	if (wm_forked(st)) {
		/* forked by a handler just now: there is no other thread */
		if (!wm_child_begin())
			return;
		s = NULL;
	}
	if (!s || !s->base) {
		/* a slot with the number of a vfork child would soon have no
		 * owner */
		if (wm_sys_getpid() != st->pid) {
			wm_drop(1, "a thread's first event was in its vfork "
				   "child");
			return;
		}
		*out = take_slot();
		if (!*out)
			wm_drop(1, "cannot get memory for a thread's buffer");
		return;
	}
	wm_writer_flush(s);
	if (s->end != s->base)
		*out = s;
	else
		wm_drop(1, NULL);
}

/* Not on the stack that threads share: its lock has the parent's forks until
 * the trace has begun, and appears free from then on, while we would still be
 * on that stack. */
static bool begin_trace(void)
{
	bool begun = false;

	wm_aside_once(wm_child_begin_aside, &begun);
	return begun;
}

static void drop_beginning(void)
{
	wm_drop(1, "another thread of a forked child was about to begin its "
		   "trace");
}

/* Its bytes will never be read. */
static void give_back(const struct wm_slot *s)
{
	WM_SYS3(SYS_madvise, s->base, wm_options.buffer_bytes,
		4 /* MADV_DONTNEED */);
}

static void close_own(struct wm_slot *s)
{
	if (s->end == s->base)
		return;
	s->end = s->base;
	give_back(s);
}

struct wm_slot *wm_slot_room(void)
{
	struct wm_slot *s = NULL;
	struct wm_state *st;

	if (!wm_state && !wm_start_event())
		return NULL;
	st = wm_state;
	switch (atomic_load_explicit(&st->tracing, memory_order_relaxed)) {
	case WM_TRACING_ON:
		if (!st->wipes && wm_sys_getpid() != st->pid)
			return NULL;
		break;
	case WM_TRACING_NONE:
		if (!wm_child_wanted())
			return NULL;
		if (begin_trace())
			break;
		drop_beginning();
		return NULL;
	case WM_TRACING_BEGINNING:
		drop_beginning();
		return NULL;
	case WM_TRACING_STOPPED:
	case WM_TRACING_CAPPED:
		wm_drop(1, NULL);
		return NULL;
	case WM_TRACING_OFF:
		if (wm_self && wm_self->base)
			close_own(wm_self);
		return NULL;
	default:
		return NULL;
	}
	wm_aside(make_room, &s);
	return s;
}

void wm_slots_close(void)
{
	wm_lock_take(&slots_lock);
	for (struct wm_slot *s = atomic_load(&wm_state->slots); s; s = s->next)
		/* the owner closes it when it has filled it once more */
		give_back(s);
	wm_lock_drop(&slots_lock);
}

void wm_slots_write_out(bool ends)
{
	wm_lock_take(&slots_lock);
	for (struct wm_slot *s = atomic_load(&wm_state->slots); s;
	     s = s->next) {
		wm_writer_write_out(s, ends);
		wm_access_write_out(s->accesses);
	}
	wm_lock_drop(&slots_lock);
}
