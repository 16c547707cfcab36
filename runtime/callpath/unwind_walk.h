/* SPDX-License-Identifier: Apache-2.0 */
/* The table unwinder walks by rows (unwind_row.h), and stops at the frames that
 * are unchanged since the thread's last event.  A struct wm_walk is used only
 * by its slot's thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_walk;

struct wm_walk *wm_walk_new(void) wm_hidden;
void wm_walk_begin(struct wm_walk *w, bool main_thread) wm_hidden;
/* Returns the bytes of a thread's state without a deep stack. */
size_t wm_walk_bytes(void) wm_hidden;

/* Forgets all rows, because a library was closed. */
void wm_walk_forget(struct wm_walk *w) wm_hidden;

/* Forgets the last path, because a longjmp may have left a walk half-way. */
void wm_walk_restart(struct wm_walk *w) wm_hidden;

/* Returns the hash of the call path from @frame outwards, or 0 if libunwind has
 * to walk, because a frame has no row of a known kind.  Runs on the runtime's
 * own stack, because it may need any amount of stack. */
uint64_t wm_walk_capture(struct wm_walk *w, const uintptr_t *frame) wm_hidden;
/* Returns the path's number if all rows are known and the path is in that
 * @generation, or WM_PATHDB_FULL.  Takes 250 bytes of stack. */
uint32_t wm_walk_number(struct wm_walk *w, const uintptr_t *frame,
			uint32_t generation) wm_hidden;
/* Stores the path last taken, outermost frame first, and returns its depth. */
size_t wm_walk_path(struct wm_walk *w, const uint64_t **path) wm_hidden;

/*
 * Whether the thread has left the outer call, whose frame was at @outer, for
 * example by a longjmp.  The thread is in a call whose frame is at @here,
 * further in on the same stack.  Returns false if rows lead to the outer call,
 * or if this is unknown.  @w may be NULL, which costs more.  A signal handler
 * that has interrupted a walk may call this.
 */
bool wm_walk_has_left(struct wm_walk *w, uintptr_t here,
		      uintptr_t outer) wm_hidden;

/* The hash is made from the sum of the addresses, each multiplied by the weight
 * of its depth: one changed frame changes one term. */
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
