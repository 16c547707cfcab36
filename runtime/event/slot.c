/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/event/slot.h"

#include <errno.h>

#include "runtime/base/lock.h"
#include "runtime/base/losses.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/callpath/callpath.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/callpath/unwind_walk.h"
#include "runtime/process/child.h"
#include "runtime/process/start.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/writer.h"

static struct wm_lock slots_lock;

/* Signal 0 shows whether the thread exists.  No hook of ours runs when a thread
 * ends (decisions.md, Trace: slots outlive their threads). */
static bool owner_is_dead(const struct wm_slot *s)
{
	return WM_SYS3(SYS_tgkill, wm_state->pid, s->tid, 0) == -ESRCH;
}

/* Finds and empties a slot whose thread has ended, or returns NULL.  A search
 * without result costs one system call for each slot, so the next search waits
 * until the number of slots has doubled. */
static struct wm_slot *find_dead(int me)
{
	struct wm_state *st = wm_state;
	struct wm_slot *s = atomic_load(&st->slots);
	uint32_t live = 0;

	/* A slot with our number belonged to an earlier thread. */
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
		wm_pool_unmap(s, wm_crash_buffer_slot_bytes());
		s = NULL;
	}
	if (!s)
		return NULL;
	s->base = (void *)((char *)s + 2 * WM_PAGE);
	/* Empty, because no thread may use the slot if the trace just ends. */
	s->end = s->base;
	atomic_store(&s->cur, s->base);
	s->stack = wm_stack_new(WM_ASIDE_BYTES);
	s->next = atomic_load(&st->slots);
	st->slots_used++;
	/* pairs with the loads in find_dead() and wm_slots_write_out() */
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
		/* Before this thread's first stamp: with one thread, up to 16
		 * events may share a stamp (decisions.md, Trace). */
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

/* Stores the slot in *(struct wm_slot **)@room. */
static void make_room(void *room)
{
	struct wm_state *st = wm_state;
	struct wm_slot *s = wm_self, **out = room;

	if (wm_forked(st)) {
		/* A handler has just forked, so there is no other thread. */
		if (!wm_child_begin())
			return;
		s = NULL;
	}
	if (!s || !s->base) {
		/* A vfork child must not take a slot: its thread number would
		 * soon belong to no thread. */
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

/* Begins the trace of a forked child.  The stack that threads share is
 * unsuitable: the lock of that stack still has the parent's number of forks,
 * and would appear free to other threads as soon as the trace has begun. */
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

static void give_back(const struct wm_slot *s)
{
	WM_SYS3(SYS_madvise, s->base, wm_options.buffer_bytes,
		4 /* MADV_DONTNEED */);
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
		s = wm_self;
		if (s && s->end != s->base) {
			s->end = s->base;
			give_back(s);
		}
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
		/* The owner closes the slot when its buffer is full again. */
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
