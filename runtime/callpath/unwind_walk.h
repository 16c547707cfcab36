/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table unwinder walks from frame to frame by rows (unwind_row.h), of which
 * it keeps one per return address.  It stops at the frames that are unchanged
 * since the thread's last event.
 *
 * A struct wm_walk belongs to one slot and is used only by the slot's thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_walk;

/* Allocates the state of a thread, or returns NULL if there is no memory. */
struct wm_walk *wm_walk_new(void) wm_hidden;
/* Gives @w to the calling thread. */
void wm_walk_begin(struct wm_walk *w, bool main_thread) wm_hidden;
/* Returns the bytes of a thread's state, as long as its stack is not deep. */
size_t wm_walk_bytes(void) wm_hidden;

/* Forgets all rows, because a library was closed. */
void wm_walk_forget(struct wm_walk *w) wm_hidden;

/* Forgets the last path, because a longjmp may have left a walk half-way. */
void wm_walk_restart(struct wm_walk *w) wm_hidden;

/*
 * Takes the call path from @frame outwards and returns its hash.  Returns 0 if
 * a frame cannot be walked by rows, so that libunwind has to walk; with a
 * probability of 2^-64 a hash is 0, too.  Runs on a stack of ours, because its
 * need of stack has no bound.
 */
uint64_t wm_walk_capture(struct wm_walk *w, const uintptr_t *frame) wm_hidden;
/* Returns the path's number in the dictionary if all rows are known and the
 * path is in that @generation; else WM_PATHDB_FULL.  Takes 250 bytes of
 * stack. */
uint32_t wm_walk_number(struct wm_walk *w, const uintptr_t *frame,
			uint32_t generation) wm_hidden;
/* Stores the path last taken, outermost frame first, and returns its depth. */
size_t wm_walk_path(struct wm_walk *w, const uint64_t **path) wm_hidden;

/*
 * Returns whether the thread has left the outer call, for example by a longjmp.
 * The thread is in the call whose frame is at @here; the outer call had its
 * frame at @outer, further out on the same stack.  Returns true if rows lead
 * past the place of the outer call, and false if they lead to it or this is
 * unknown.  @w may be NULL, which costs more.  May be called by a signal
 * handler that has interrupted a walk (unwind_within.c).
 */
bool wm_walk_has_left(struct wm_walk *w, uintptr_t here,
		      uintptr_t outer) wm_hidden;

/* The hash of a path is made from the sum of its addresses, each multiplied by
 * the weight of its depth: if one frame changes, one term changes. */
static inline uint64_t wm_path_weight(uint64_t depth)
{
	uint64_t z = (depth + 1) * UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	return (z ^ z >> 27) | 1;
}

static inline uint64_t wm_path_mix(uint64_t sum, uint64_t depth)
{
	uint64_t h = (sum + depth) * UINT64_C(0x9E3779B97F4A7C15);

	return h ^ h >> 32;
}
