/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the function at an address by the symbol table of a file.  The table is
 * sorted once, while libdwfl would search all symbols for each address.
 *
 * If several symbols contain an address, the symbol that begins last counts;
 * among equals, the symbol with the stronger binding, then the smaller symbol.
 * A symbol without a size (an assembler label) extends to the end of its
 * section, and counts only if no other symbol does.  One thread at a time.
 */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_table_symbol;

struct wm_symbol_table {
	struct wm_table_symbol *symbol;
	size_t count, cap;
	bool read;
};

/* Returns the name of the function at @address, and stores its start in
 * *@begin, both as libdwfl counts addresses; NULL if there is none, or without
 * memory.  The name belongs to @mod. */
const char *wm_symbol_table_at(struct wm_symbol_table *t, Dwfl_Module *mod,
			       uint64_t address, uint64_t *begin);
void wm_symbol_table_release(struct wm_symbol_table *t);
