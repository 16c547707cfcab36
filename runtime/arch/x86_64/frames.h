/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of registers in DWARF ("System V Application Binary Interface,
 * AMD64", 3.6.2), and the place of the return address, which a call pushes: the
 * caller's stack pointer is the CFA. */
#pragma once

#include <stdint.h>

#define WM_REG_FP 6
#define WM_REG_SP 7
#define WM_REG_RA 16

/* From the CFA to the return address. */
#define WM_RETURN_AT (-8)
/* The slot of the return address, from the CFA or from the stack pointer after
 * the call. */
#define wm_slot_at(cfa) ((cfa)-8)

/* The place where code with frame pointers keeps the caller's frame pointer,
 * from the slot of the return address. */
#define wm_pointer_slot(slot) ((slot)-8)

/* The slot of the return address, and the CFA, of the function with the frame
 * pointer @frame (wm_frame()). */
#define wm_frame_slot(frame) ((uintptr_t)((frame) + 1))
#define wm_frame_cfa(frame) ((uintptr_t)((frame) + 2))
