/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function at an address of a file, by its symbol table.
 *
 * libdwfl searches all symbols for each address; here they are sorted once.
 * Among the symbols that contain an address the last to begin counts, then the
 * one with the stronger binding, then the smaller one.  A symbol without a size
 * (a label of assembler) extends to the next symbol of its section, and counts
 * if no other does.
 *
 * One thread at a time for each table.
 */
#ifndef WM_ANALYZE_SYMBOL_TABLE_H
#define WM_ANALYZE_SYMBOL_TABLE_H

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

/* The name and the begin of the function of @mod at @address, as libdwfl counts
 * addresses; NULL: none, or memory was short.  The first call reads the
 * symbols.  The name belongs to @mod. */
const char *wm_symbol_table_at(struct wm_symbol_table *t, Dwfl_Module *mod,
			       uint64_t address, uint64_t *begin);
void wm_symbol_table_release(struct wm_symbol_table *t);

#endif
