/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the number of an event's call path.  If the dictionary or the crash
 * buffer has no room for a new path, blocks are written to make room. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/*
 * Returns the number of the path from a wrapper's @frame outwards, for the next
 * record of @slot, which belongs to the calling thread.  Returns WM_PATHDB_NONE
 * if there is no memory.  Afterwards the slot's buffer has the generation of
 * the number; for this the buffer may have been emptied or closed (`end` of
 * struct wm_slot).  Runs on a stack of ours.
 */
uint32_t wm_path_capture(struct wm_slot *slot,
			 const uintptr_t *frame) wm_hidden;
