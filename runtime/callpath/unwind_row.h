/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes how to get from the frame of a return address to the next frame
 * out: the part of the table unwinder that depends on the processor.  A row is
 * computed from .eh_frame, whose sorted table leads to the description of the
 * function (FDE); its program (DWARF 5, section 6.4) is run up to the address.
 * The caller keeps the rows.
 *
 * Only memory of the module that contains the address is read.  Any thread may
 * call this; it takes no lock and allocates nothing.
 */
#pragma once

#include <stdint.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(frames.h)

#include "runtime/base/attributes.h"

enum wm_row_kind {
	WM_ROW_UNKNOWN = 0, /* not described, or not by these kinds */
	WM_ROW_SP, /* CFA = stack pointer + cfa */
	WM_ROW_BP, /* CFA = frame pointer + cfa */
	/* CFA = the word at frame pointer + cfa; the caller's frame pointer is
	 * stored at the frame pointer (gcc's realigned stacks) */
	WM_ROW_ALIGNED,
	WM_ROW_LAST, /* the outermost frame */
};

/* In all kinds the return address is stored at WM_RETURN_AT from the CFA. */
struct wm_row {
	uint64_t ip; /* the return address of this row */
	int32_t cfa;
	int16_t bp; /* caller's frame pointer is at CFA + bp; 0: unchanged */
	uint16_t kind;
};

void wm_row_find(uint64_t ip, struct wm_row *row) wm_hidden;
