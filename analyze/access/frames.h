/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The live frames of a thread (docs/trace-format.md, 6.11): finds the frame of
 * an address of the thread's stack.
 *
 * A frame in the list has not ended, except a frame that a longjmp or a switch
 * to another stack left behind: the next frame in the same place removes it.
 * The list is bounded; a zeroed list is empty.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/locals.h"

struct wm_live_frame {
	uint64_t sp, cfa; /* its memory is between both; cfa 0: unknown */
	uint64_t pc; /* of its hook */
	const struct wm_scope *function; /* NULL: unknown */
};

struct wm_frames {
	struct wm_live_frame *frame; /* the outermost first */
	size_t count, cap;
};

void wm_frames_release(struct wm_frames *f);
/* Enters @function; @sp and @value are as in the trace.  false: no memory. */
bool wm_frames_enter(struct wm_frames *f, const struct wm_scope *function,
		     uint64_t pc, uint64_t sp, uint64_t value);
/* Returns the known frame that contains @addr, or NULL. */
const struct wm_live_frame *wm_frames_find(const struct wm_frames *f,
					   uint64_t addr);
