/* SPDX-License-Identifier: Apache-2.0 */
/* There is a slot for each thread that has had an event.  A new thread takes
 * over the slot of a thread that has ended. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* Returns the thread's slot with room for one more record.  Returns NULL if the
 * event is not recorded; a lost event has been counted.  May start the whole
 * runtime.  Any thread. */
struct wm_slot *wm_slot_room(void) wm_hidden;
/* Returns the number of the path from a wrapper's @frame outwards, for the next
 * record of @slot, which belongs to the calling thread, or WM_PATHDB_NONE if
 * there is no memory.  If the path begins a new generation of numbers, the
 * slot's buffer is emptied for it, and may be closed.  Runs on a stack of
 * ours. */
uint32_t wm_path_capture(struct wm_slot *slot,
			 const uintptr_t *frame) wm_hidden;
/* Writes out every slot.  Unless the process @ends, releases that may still be
 * refused are left out. */
void wm_slots_write_out(bool ends) wm_hidden;
/* Frees the memory of all buffers; nothing will be recorded any more. */
void wm_slots_close(void) wm_hidden;
