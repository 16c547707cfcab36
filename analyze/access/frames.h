/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of a thread at the moment (docs/trace-format.md, 6.11): whose frame
 * an address of its stack is in.
 *
 * A frame that is in the list has not ended, but for one that a longjmp, or a
 * switch to another stack, left behind: that goes with the next frame in its
 * place.  Bounded; one of zeros is empty.  One thread at a time.
 */
#ifndef WM_ANALYZE_FRAMES_H
#define WM_ANALYZE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/locals.h"

struct wm_live_frame {
	uint64_t sp, cfa; /* its memory is between them; cfa 0: not known */
	uint64_t pc; /* of its hook */
	const struct wm_scope *function; /* NULL: not known */
};

struct wm_frames {
	struct wm_live_frame *frame; /* the outermost first */
	size_t count, cap;
};

void wm_frames_release(struct wm_frames *f);
/* @function begins; @sp and @value as in the trace.  false: no memory. */
bool wm_frames_enter(struct wm_frames *f, const struct wm_scope *function,
		     uint64_t pc, uint64_t sp, uint64_t value);
/* The frame that @addr is in; NULL: in none that is known. */
const struct wm_live_frame *wm_frames_find(const struct wm_frames *f,
					   uint64_t addr);

#endif
