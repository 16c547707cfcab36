/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and local variables of all modules of a process, by addresses in
 * the process.  Files are opened when needed; a module whose file is missing or
 * of another build has no functions.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/locals.h"
#include "analyze/lib/trace/paths.h"

/* Frames of a thread's stack (docs/trace-format.md, 6.11).  A frame in the list
 * has not ended, unless a longjmp or a switch of stacks left it behind; the
 * next frame at its address removes such a frame.  The list is bounded; a
 * zeroed list is empty. */
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

struct wm_local_names {
	const struct wm_paths *paths; /* borrowed; uses .map */
	struct wm_local_module *module; /* by number; NULL: none opened */
	size_t modules; /* .paths may be gone at release */
};

void wm_local_names_release(struct wm_local_names *n);

/* Stores the module of return address @pc, or WM_NO_MODULE, and the linked
 * address in *@offset. */
void wm_local_names_place(const struct wm_paths *paths, uint64_t pc,
			  uint32_t *module, uint64_t *offset);
const struct wm_scope *wm_local_names_frame(struct wm_local_names *n,
					    uint64_t pc);
/* Returns the variable in @frame that the access from @pc to @addr touches, or
 * NULL if it is unknown or several are possible. */
const struct wm_local *wm_local_names_find(struct wm_local_names *n,
					   const struct wm_live_frame *frame,
					   uint64_t addr, uint64_t pc);
