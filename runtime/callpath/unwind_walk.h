/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table unwinder: walks from frame to frame by rows (unwind_row.h) that
 * it keeps per return address, and stops where it meets the stack of the
 * thread's last event unchanged.
 *
 * A struct wm_walk belongs to one slot and is used by its thread alone.
 */
#ifndef WM_RUNTIME_UNWIND_WALK_H
#define WM_RUNTIME_UNWIND_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

struct wm_walk;

/* Memory for a thread; NULL: none. */
struct wm_walk *wm_walk_new(void) wm_hidden;
/* It is of the calling thread from now on. */
void wm_walk_begin(struct wm_walk *w, bool main_thread) wm_hidden;
/* How much that is, while stacks are not deep. */
size_t wm_walk_bytes(void) wm_hidden;

/* Forget all rows: a library has gone. */
void wm_walk_forget(struct wm_walk *w) wm_hidden;

/* Forget the last path: a longjmp may have left a walk half-way. */
void wm_walk_restart(struct wm_walk *w) wm_hidden;

/*
 * Takes the call path from @frame outwards.  Its hash, never 0 but for a
 * probability of 2^-64; 0 when a frame on the way cannot be walked by rows:
 * ask libunwind.  On a stack of ours: it takes what it takes.
 */
uint64_t wm_walk_capture(struct wm_walk *w, const uintptr_t *frame) wm_hidden;
/* The number of the path in the dictionary, if all rows are known and it is of
 * that @generation; else WM_PATHDB_FULL.  Takes 250 bytes of stack. */
uint32_t wm_walk_number(struct wm_walk *w, const uintptr_t *frame,
			uint32_t generation) wm_hidden;
/* The path last taken, outermost frame first; its depth. */
size_t wm_walk_path(struct wm_walk *w, const uint64_t **path) wm_hidden;

/*
 * The thread is in the call whose frame is at @here, and was in another one at
 * @outer, which lies further out on the same stack.  true: rows lead past the
 * place of that call, so it was left; false: they lead there, or it cannot be
 * told.  @w may be NULL: it costs more then.  May be called while a signal
 * handler has interrupted a walk (unwind_within.c).
 */
bool wm_walk_has_left(struct wm_walk *w, uintptr_t here,
		      uintptr_t outer) wm_hidden;

/*
 * The hash of a path is mixed from the sum of its addresses, each times the
 * weight of its depth: a change of one frame changes one term.
 */
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

#endif
