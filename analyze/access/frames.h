/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the frame of an address in a thread's stack (docs/trace-format.md,
 * 6.11).
 *
 * A frame in the list has not ended, unless a longjmp or a switch of stacks
 * left it behind; the next frame at its address removes such a frame.  The list
 * is bounded; a zeroed list is empty.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/locals.h"

struct wm_live_frame {
	uint64_t sp, cfa; /* the frame is between both; cfa 0: unknown */
	uint64_t pc; /* of its hook */
	const struct wm_scope *function; /* NULL: unknown */
};

struct wm_frames {
	struct wm_live_frame *frame; /* the outermost first */
	size_t count, cap;
};

void wm_frames_release(struct wm_frames *f);
/* @sp and @value are as in the trace.  Returns false without memory. */
bool wm_frames_enter(struct wm_frames *f, const struct wm_scope *function,
		     uint64_t pc, uint64_t sp, uint64_t value);
/* Returns the known frame that contains @addr, or NULL. */
const struct wm_live_frame *wm_frames_find(const struct wm_frames *f,
					   uint64_t addr);
