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
/* Writes out every slot.  Unless the process @ends, releases that may still be
 * refused are left out. */
void wm_slots_write_out(bool ends) wm_hidden;
/* Frees the memory of all buffers; nothing will be recorded any more. */
void wm_slots_close(void) wm_hidden;
