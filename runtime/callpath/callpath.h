/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a thread's present call path, and its number in the dictionary.  If a
 * table is full, the caller has to make room. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

struct wm_walk;

struct wm_callpath {
	const uint64_t *frames; /* outermost first */
	size_t depth;
	uint64_t hash;
	struct wm_walk *walk; /* NULL, or the walk that still has the frames */
	bool cut; /* if walk is NULL: there was no room for the whole path */
};

size_t wm_callpath_bytes(void) wm_hidden;
/* Returns the number of the path that is only the caller (WM_UNWIND=none), or
 * WM_PATHDB_FULL if the generation of @slot lacks it. */
uint32_t wm_callpath_of_caller(const struct wm_slot *slot,
			       const uintptr_t *frame) wm_hidden;
/* Stores the path from a wrapper's @frame outwards in *@path, which is valid
 * until the next capture.  Runs on a stack of the runtime's own. */
void wm_callpath_capture(struct wm_slot *slot, const uintptr_t *frame,
			 struct wm_callpath *path) wm_hidden;
/* Does the same, but always by libunwind, independent of WM_UNWIND. */
void wm_callpath_unwind(struct wm_slot *slot, const uintptr_t *frame,
			struct wm_callpath *path) wm_hidden;
/* Returns false if the list of modules is too old for the path's addresses. */
bool wm_callpath_agrees(struct wm_callpath *path) wm_hidden;
uint32_t wm_callpath_number(struct wm_callpath *path, bool without,
			    uint32_t *generation) wm_hidden;
/* Returns false if the path has only one frame. */
bool wm_callpath_halve(struct wm_callpath *path) wm_hidden;
/* For WM_UNWIND=check, before the path is captured: see wm_walk_number(). */
uint32_t wm_callpath_quick(const struct wm_slot *slot,
			   const uintptr_t *frame) wm_hidden;
/* For WM_UNWIND=check: counts a difference if path @number is not @path, or if
 * @quick is another number. */
void wm_callpath_check(const struct wm_callpath *path, uint32_t number,
		       uint32_t generation, uint32_t quick) wm_hidden;
/* Called in a traced child, where libunwind's cache may be half written. */
void wm_callpath_forget(void) wm_hidden;
