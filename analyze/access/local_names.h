/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions and local variables of all modules of a process, by the addresses
 * in it.  A module's file is opened when it is asked for; one that is gone or of
 * another build has none.  One thread at a time.
 */
#ifndef WM_ANALYZE_LOCAL_NAMES_H
#define WM_ANALYZE_LOCAL_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/access/frames.h"
#include "analyze/access/locals.h"
#include "analyze/lib/trace/paths.h"

struct wm_local_names {
	const struct wm_paths *paths; /* borrowed; .map is looked at */
	struct wm_local_module *module; /* by number; NULL: none yet */
	size_t modules; /* of them: paths may be gone when these are released */
};

void wm_local_names_release(struct wm_local_names *n);

/* The function that return address @pc is in; its place as linked into
 * *@offset, its module into *@module, or WM_NO_MODULE. */
void wm_local_names_place(const struct wm_paths *paths, uint64_t pc,
			  uint32_t *module, uint64_t *offset);
/* As wm_locals_frame(), of an address in the process. */
const struct wm_scope *wm_local_names_frame(struct wm_local_names *n,
					    uint64_t pc);
/*
 * The variable that the access to @addr from @pc has in @frame, in which it
 * lies; NULL: not known, or several may be meant.
 */
const struct wm_local *wm_local_names_find(struct wm_local_names *n,
					   const struct wm_live_frame *frame,
					   uint64_t addr, uint64_t pc);

#endif
