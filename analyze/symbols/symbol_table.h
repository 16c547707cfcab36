/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which function of a file an address is in, by its symbol table.
 *
 * libdwfl looks at each symbol for each address; here they are sorted once.
 * Among the symbols that hold an address the one that begins last counts, then
 * the one that is bound more strongly, then the smaller one.  A symbol without a
 * size (a label of assembler) holds what lies between it and the next symbol of
 * its section, and counts where no other does.
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
	struct wm_table_symbol *symbol; /* by where they begin */
	size_t count, cap;
	bool read;
};

/* The name of the function of @mod that holds @address, as libdwfl counts
 * addresses, and where it begins; NULL: none, or memory was short.  Reads the
 * symbols when it is first asked.  The name belongs to @mod. */
const char *wm_symbol_table_at(struct wm_symbol_table *t, Dwfl_Module *mod,
			       uint64_t address, uint64_t *begin);
void wm_symbol_table_release(struct wm_symbol_table *t);

#endif
