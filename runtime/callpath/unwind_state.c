/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/unwind_state.h"

#include <stdatomic.h>
#include <sys/auxv.h>

#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/unwind_walk.h"

#define FRAMES_START 210 /* with all their arrays less than 7 pages */
/* The most bytes between a thread's outermost frame and the known end of its
 * stack, until one frame is known: for the main thread that of arguments and
 * environment, for others an address in the thread's storage. */
#define NEAR_MAIN ((size_t)128 << 10)
#define NEAR_THREAD ((size_t)4 << 10)
#define FRAME_BYTES                                                            \
	(2 * (sizeof(struct frame) + sizeof(struct pointer)) + sizeof(uint64_t))

bool wm_walk_make_room(struct wm_walk *w, size_t room)
{
	struct frame *p = wm_pool_map(room * FRAME_BYTES), *old = w->frames;
	struct pointer *pointers;
	size_t old_room = w->room;

	if (!p)
		return false;
	pointers = (struct pointer *)(p + 2 * room);
	for (size_t i = 0; i < old_room; i++) {
		p[i] = old[i];
		p[room + i] = w->fresh[i];
		pointers[i] = w->pointers[i];
		pointers[room + i] = w->fresh_pointers[i];
	}
	for (size_t i = old_room; i < room; i++)
		p[i].weight = wm_path_weight(i);
	/* Stored in this order, as a longjmp may follow any of them: .room
	 * never exceeds the memory, and memory in use is not unmapped. */
	w->frames = p;
	w->fresh = p + room;
	w->pointers = pointers;
	w->fresh_pointers = pointers + room;
	w->path = (uint64_t *)(pointers + 2 * room);
	atomic_signal_fence(memory_order_seq_cst);
	w->room = room;
	atomic_signal_fence(memory_order_seq_cst);
	if (old)
		wm_pool_unmap(old, old_room * FRAME_BYTES);
	return true;
}

size_t wm_walk_bytes(void)
{
	return sizeof(struct wm_walk) + FRAMES_START * FRAME_BYTES +
	       2 * WM_PAGE;
}

struct wm_walk *wm_walk_new(void)
{
	struct wm_walk *w = wm_pool_map(sizeof(*w));

	if (w && !wm_walk_make_room(w, FRAMES_START)) {
		wm_pool_unmap(w, sizeof(*w));
		w = NULL;
	}
	if (w)
		w->changing = w->follows = 1;
	return w;
}

void wm_walk_begin(struct wm_walk *w, bool main_thread)
{
	/* The kernel stores these random bytes above the stack's first
	 * frame. */
	w->stack_end = main_thread ? getauxval(AT_RANDOM) : (uintptr_t)&wm_self;
	w->near_end = main_thread ? NEAR_MAIN : NEAR_THREAD;
	wm_walk_restart(w);
}

void wm_walk_forget(struct wm_walk *w)
{
	for (size_t i = 0; i < KNOWN; i++)
		w->known[i] = 0;
	for (size_t i = 0; i < 1u << ROWS_BITS; i++)
		w->rows[i].ip = w->simple[i].ip = 0;
	for (size_t i = 0; i < 1u << WITHIN_BITS; i++)
		w->within[i].ip = 0;
	wm_walk_restart(w);
}

void wm_walk_restart(struct wm_walk *w)
{
	for (size_t i = 0; i < MEMOS; i++)
		w->memo[i].slot = 0;
	w->top = w->sum = w->repeats = 0;
}
