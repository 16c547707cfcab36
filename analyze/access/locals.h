/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of an executable with their local variables: where in its frame
 * each lies, by its debug information, and where the frame begins, by its call
 * frame information (libdw).
 *
 * All places are from the canonical frame address (CFA: the stack pointer of
 * the caller, before the call).  A function whose frame no simple rule tells
 * has no places: nothing is guessed.  Each function is read when it is asked
 * for, and kept.  Bounded as types.h is.  One thread at a time.
 */
#ifndef WM_ANALYZE_LOCALS_H
#define WM_ANALYZE_LOCALS_H

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
	uint64_t low; /* where it begins, as linked */
	Dwarf_Die die;
	uint64_t frame; /* where the hook at its beginning returns to; 0: not
			 * asked for, and all that follows is zero */
	bool known; /* the CFA is `cfa` above what `by_fp` says */
	bool by_fp; /* the frame pointer; else the stack pointer */
	int64_t cfa;
	struct wm_local *local; /* by place */
	size_t count, cap;
};

struct wm_locals {
	struct wm_module_file *file; /* borrowed */
	struct wm_locals_answer *answer; /* by address that was asked for */
	size_t answers, answer_cap;
	struct wm_scope **function;
	size_t functions, function_cap;
};

/* @file: open, and as long as this. */
void wm_locals_init(struct wm_locals *l, struct wm_module_file *file);
void wm_locals_release(struct wm_locals *l);

/* The function that the call before return address @pc, as linked, is in.
 * NULL: not known, or no memory. */
const struct wm_scope *wm_locals_function(struct wm_locals *l, uint64_t pc);
/* The same of the hook at its beginning, with its frame and variables. */
const struct wm_scope *wm_locals_frame(struct wm_locals *l, uint64_t pc);
/*
 * The variable at @place; NULL: none, or not the only one there.  @pc: where the
 * function is, as linked; 0: not known.
 */
const struct wm_local *wm_locals_find(const struct wm_scope *f, int64_t place,
				      uint64_t pc);

#endif
