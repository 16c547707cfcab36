/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions and local variables of all modules of a process, by addresses in
 * the process.  A module's file is opened when needed.  If the file is missing
 * or is of another build, the module has no functions and variables.  One
 * thread at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/access/frames.h"
#include "analyze/access/locals.h"
#include "analyze/lib/trace/paths.h"

struct wm_local_names {
	const struct wm_paths *paths; /* borrowed; .map is used */
	struct wm_local_module *module; /* by number; NULL: none yet */
	size_t modules; /* number of modules: needed when paths may be gone */
};

void wm_local_names_release(struct wm_local_names *n);

/* Finds the place of return address @pc.  Stores in *@module the module, or
 * WM_NO_MODULE, and in *@offset the address as linked. */
void wm_local_names_place(const struct wm_paths *paths, uint64_t pc,
			  uint32_t *module, uint64_t *offset);
/* Like wm_locals_frame(), for an address in the process. */
const struct wm_scope *wm_local_names_frame(struct wm_local_names *n,
					    uint64_t pc);
/*
 * Returns the variable in @frame that the access from @pc to @addr touches;
 * @addr is in @frame.  Returns NULL if the variable is unknown or several are
 * possible.
 */
const struct wm_local *wm_local_names_find(struct wm_local_names *n,
					   const struct wm_live_frame *frame,
					   uint64_t addr, uint64_t pc);
