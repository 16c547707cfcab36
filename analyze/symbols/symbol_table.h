/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the function at an address of a file, by the file's symbol table.
 *
 * libdwfl searches all symbols for each address; here they are sorted once.  If
 * several symbols contain an address, the symbol that begins last counts; among
 * equals, the symbol with the stronger binding, then the smaller symbol.  A
 * symbol without a size (a label of assembler) extends to the next symbol of
 * its section, and counts only if no other symbol does.
 *
 * One thread at a time for each table.
 */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_table_symbol;

struct wm_symbol_table {
	struct wm_table_symbol *symbol; /* in order of address */
	size_t count, cap;
	bool read;
};

/* Returns the name and the begin of the function of @mod at @address, as
 * libdwfl counts addresses.  Returns NULL if there is none, or memory was
 * short.  The first call reads the symbols.  The name belongs to @mod. */
const char *wm_symbol_table_at(struct wm_symbol_table *t, Dwfl_Module *mod,
			       uint64_t address, uint64_t *begin);
void wm_symbol_table_release(struct wm_symbol_table *t);
