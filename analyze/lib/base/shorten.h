/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long names of C++ for people: no state, no memory of its own.
 */
#ifndef WM_ANALYZE_SHORTEN_H
#define WM_ANALYZE_SHORTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Columns that a name may take in lines of 120 columns and in sentences. */
#define WM_NAME_COLUMNS 60

/*
 * @name, which is demangled, in at most @columns bytes: unchanged if it fits;
 * else with "(...)" for parameters; else with "<...>" for template arguments,
 * too; else with "..." for scopes (modules, classes); else the name in the last
 * scope with its middle cut out.  A location behind the name, with two blanks
 * before it, is kept as long as the name has 12 columns.  @out has @columns + 1
 * bytes, @columns is at least 8.  Returns @out.
 */
char *wm_shorten(const char *name, size_t columns, char *out);

/* Find the parameters of the function @name, with "const" behind them: *@from
 * and *@size, in bytes.  False: there are none at its end, or before two blanks
 * and a location, or before " < " and the caller. */
bool wm_parameters(const char *name, size_t *from, size_t *size);

#endif
