/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of an executable with their local variables.  The place of a
 * variable in its frame is from debug information, and the place of the frame
 * is from call frame information (libdw).
 *
 * All places count from the canonical frame address (CFA: the stack pointer of
 * the caller, before the call).  A function whose frame has no simple rule has
 * no places: nothing is guessed.  Each function is read when first needed, and
 * kept.  Bounded like types.h.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/module_file.h"
#include "analyze/access/types.h"

struct wm_local {
	int64_t place; /* its first byte, from the CFA: less than 0 */
	uint64_t bytes;
	const char *name; /* libdw's; plain */
	Dwarf_Die die, type; /* itself; its type, peeled */
	Dwarf_Die scope; /* the block that it is in */
};

struct wm_scope {
	uint64_t low; /* its start, as linked */
	Dwarf_Die die;
	uint64_t frame; /* return address of the hook at its start; 0: not asked
			 * for, and all below is zero */
	bool known; /* the CFA is `cfa` above the register of `by_fp` */
	bool by_fp; /* the frame pointer; else the stack pointer */
	int64_t cfa;
	struct wm_local *local; /* by place */
	size_t count, cap;
};

struct wm_locals {
	struct wm_module_file *file; /* borrowed */
	struct wm_locals_answer *answer; /* by address asked for */
	size_t answers, answer_cap;
	struct wm_scope **function;
	size_t functions, function_cap;
};

/* @file must be open, and must outlive @l. */
void wm_locals_init(struct wm_locals *l, struct wm_module_file *file);
void wm_locals_release(struct wm_locals *l);

/* Returns the function of the call before return address @pc, as linked; NULL
 * if unknown, or without memory. */
const struct wm_scope *wm_locals_function(struct wm_locals *l, uint64_t pc);
/* Returns the function whose first hook returns to @pc, as linked, with its
 * frame and variables. */
const struct wm_scope *wm_locals_frame(struct wm_locals *l, uint64_t pc);
/* Returns the variable at @place; NULL if there is none, or more than one.  @pc
 * is the current place in the function, as linked, or 0 if unknown. */
const struct wm_local *wm_locals_find(const struct wm_scope *f, int64_t place,
				      uint64_t pc);
