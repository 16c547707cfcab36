/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: one per thread that has had an event.  A slot outlives its thread; a
 * new thread takes over the slot of one that the kernel no longer knows. */
#ifndef WM_RUNTIME_SLOT_H
#define WM_RUNTIME_SLOT_H

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* Room for one more record, or NULL; a lost event has been counted.  Flushes,
 * takes a slot, or starts everything.  Any thread. */
struct wm_slot *wm_slot_room(void) wm_hidden;
/* Write out every slot.  @ends: the process ends, else releases that may still be
 * refused wait. */
void wm_slots_write_out(bool ends) wm_hidden;
/* Frees the memory of all slots: nothing will be recorded any more. */
void wm_slots_close(void) wm_hidden;

#endif
