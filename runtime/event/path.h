/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the number of an event's call path. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* Returns the number of the path from a wrapper's @frame outwards, for the next
 * record of @slot, which belongs to the calling thread, or WM_PATHDB_NONE if
 * there is no memory.  If the path begins a new generation of numbers, the
 * slot's buffer is emptied for it, and may be closed.  Runs on a stack of
 * ours. */
uint32_t wm_path_capture(struct wm_slot *slot,
			 const uintptr_t *frame) wm_hidden;
