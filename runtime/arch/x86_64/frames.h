/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames: the numbers of the registers in DWARF ("System V Application Binary
 * Interface, AMD64", 3.6.2), and the place of the return address, which is
 * always CFA - 8.  The call pushes the return address, so a caller's stack
 * pointer is the CFA.
 */
#pragma once

#include <stdint.h>

#define WM_REG_FP 6
#define WM_REG_SP 7
#define WM_REG_RA 16

/* Where the return address is, from the CFA. */
#define WM_RETURN_AT (-8)
/* The slot of the return address, from the CFA or from the stack pointer that
 * the caller has when the call has returned. */
#define wm_slot_at(cfa) ((cfa)-8)

/* The place where code with frame pointers keeps the caller's frame pointer,
 * from the slot of the return address. */
#define wm_pointer_slot(slot) ((slot)-8)

/* The slot of the return address, and the CFA, of a function whose frame
 * pointer is @frame (wm_frame()). */
#define wm_frame_slot(frame) ((uintptr_t)((frame) + 1))
#define wm_frame_cfa(frame) ((uintptr_t)((frame) + 2))
