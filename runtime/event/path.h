/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of an event's call path.  Where the dictionary or the crash buffer
 * has no room for a new one, some is made: blocks are written.
 */
#ifndef WM_RUNTIME_PATH_H
#define WM_RUNTIME_PATH_H

#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/hooks.h"

/*
 * From a wrapper's @frame outwards, for the next record of @slot, the thread's
 * own.  Afterwards the slot's buffer is of the same generation as the number;
 * it may have been emptied for that, or closed, which wm_slot's `end` says as
 * ever.  WM_PATHDB_NONE: there is no memory.  On a stack of ours.
 */
uint32_t wm_path_capture(struct wm_slot *slot,
			 const uintptr_t *frame) wm_hidden;

#endif
