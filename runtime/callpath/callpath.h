/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's call path of this moment: an unwinder walks, the dictionary
 * numbers.  Nothing here makes room where there is none: the answers say what
 * the caller has to do.
 */
#ifndef WM_RUNTIME_CALLPATH_H
#define WM_RUNTIME_CALLPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/hooks.h"

struct wm_walk;

struct wm_callpath {
	const uint64_t *frames; /* outermost first */
	size_t depth;
	uint64_t hash;
	struct wm_walk *walk; /* holds the frames still; or NULL */
	bool cut; /* without walk: there was no room for all of it */
};

/* Memory that a thread's call paths take, but for deep ones. */
size_t wm_callpath_bytes(void) wm_hidden;
/* The number of the caller alone (WM_UNWIND=none), if it is known and of the
 * generation of @slot; else WM_PATHDB_FULL. */
uint32_t wm_callpath_of_caller(const struct wm_slot *slot,
			       const uintptr_t *frame) wm_hidden;
/* The path from a wrapper's @frame outwards.  It holds until the next one is
 * taken.  On a stack of ours. */
void wm_callpath_capture(struct wm_slot *slot, const uintptr_t *frame,
			 struct wm_callpath *path) wm_hidden;
/* false: what the list of modules says of the path's addresses is out of
 * date. */
bool wm_callpath_agrees(struct wm_callpath *path) wm_hidden;
/* Its number: what wm_pathdb_number() answers. */
uint32_t wm_callpath_number(struct wm_callpath *path, bool without,
			    uint32_t *generation) wm_hidden;
/* Its inner half alone, because there is no room for all of it; false: it has
 * one frame. */
bool wm_callpath_halve(struct wm_callpath *path) wm_hidden;
/* WM_UNWIND=check: what the quick way would answer, before the path is taken:
 * its number of the generation of @slot, or WM_PATHDB_FULL. */
uint32_t wm_callpath_quick(const struct wm_slot *slot,
			   const uintptr_t *frame) wm_hidden;
/* Likewise: count it if path @number of @generation is another one, or @quick a
 * number and not that. */
void wm_callpath_check(const struct wm_callpath *path, uint32_t number,
		       uint32_t generation, uint32_t quick) wm_hidden;
/* In a traced child: what libunwind keeps may be half-written. */
void wm_callpath_forget(void) wm_hidden;

#endif
