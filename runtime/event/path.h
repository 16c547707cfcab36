/* SPDX-License-Identifier: Apache-2.0 */
/* The number of an event's call path.  If the dictionary or the crash buffer
 * has no room for a new one, blocks are written to make room. */
#ifndef WM_RUNTIME_PATH_H
#define WM_RUNTIME_PATH_H

#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/*
 * The path from a wrapper's @frame outwards, for the next record of @slot, the
 * thread's own.  Afterwards the slot's buffer has the generation of the number;
 * it may have been emptied for that, or closed (`end` of struct wm_slot).
 * WM_PATHDB_NONE: there is no memory.  On a stack of ours.
 */
uint32_t wm_path_capture(struct wm_slot *slot,
			 const uintptr_t *frame) wm_hidden;

#endif
