/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens long C++ names for readers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Columns of a name in lines of 120 columns and in sentences. */
#define WM_NAME_COLUMNS 60

/*
 * Shortens the demangled @name to at most @columns bytes, and returns @out,
 * which has @columns + 1 bytes.  @columns is at least 8.
 *
 * A name that fits is unchanged.  Otherwise these steps follow until the name
 * fits: parameters become "(...)", template arguments become "<...>", scopes
 * (modules, classes) become "...", and at last the middle of the name in the
 * last scope is cut out.  A location behind the name, after two blanks, is kept
 * as long as 12 columns are left for the name.
 */
char *wm_shorten(const char *name, size_t columns, char *out);

/* Finds the parameters of the function @name, with "const" behind them, and
 * stores their offset in *@from and their length in *@size.  Returns false if
 * there are no parameters at the end of @name, before two blanks and a
 * location, or before " < " and the caller. */
bool wm_parameters(const char *name, size_t *from, size_t *size);
