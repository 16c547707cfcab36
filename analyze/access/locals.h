/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of an executable with their local variables.  Debug information
 * gives the place of a variable in its frame, and call frame information the
 * place of the frame (libdw).  Places are from the canonical frame address
 * (CFA: the caller's stack pointer before the call).  A function whose frame
 * has no simple rule has no places.  Functions are read when first needed, and
 * kept.  Bounded like types.h.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/module_file.h"
#include "analyze/access/types.h"

struct wm_local {
	int64_t place; /* of its first byte, from the CFA: below 0 */
	uint64_t bytes;
	const char *name; /* libdw's, plain */
	Dwarf_Die die, type; /* the variable, and its peeled type */
	Dwarf_Die scope; /* the block around it */
};

struct wm_scope {
	uint64_t low; /* start, as linked */
	Dwarf_Die die;
	/* return address of the hook at its start; 0: all below is unset */
	uint64_t frame;
	bool known; /* the CFA is .cfa above a register */
	bool by_fp; /* the frame pointer, else the stack pointer */
	int64_t cfa;
	struct wm_local *local; /* by place */
	size_t count, cap;
};

struct wm_locals {
	struct wm_module_file *file; /* borrowed */
	struct wm_locals_answer *answer; /* by .pc */
	size_t answers, answer_cap;
	struct wm_scope **function;
	size_t functions, function_cap;
};

/* @file must be open, and must outlive @l. */
void wm_locals_init(struct wm_locals *l, struct wm_module_file *file);
void wm_locals_release(struct wm_locals *l);

/* Returns the function that calls before return address @pc, as linked, or
 * NULL. */
struct wm_scope *wm_locals_function(struct wm_locals *l, uint64_t pc);
/* Returns the function whose first hook returns to @pc, with its variables. */
const struct wm_scope *wm_locals_frame(struct wm_locals *l, uint64_t pc);
/* Returns the only variable at @place, or NULL.  @pc is the current address in
 * the function, as linked, or 0 if unknown. */
const struct wm_local *wm_locals_find(const struct wm_scope *f, int64_t place,
				      uint64_t pc);
