/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug information that the compiler has put into files of its own, one for
 * each unit (-gsplit-dwarf): libdw opens them where they were made, or beside
 * the program.  One thread at a time.
 */
#ifndef WM_ANALYZE_SPLIT_H
#define WM_ANALYZE_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/access/module_file.h"

/* Where the entries of @unit of @f are: itself, or what its file has; false:
 * that is not here, or is a pipe or a device. */
bool wm_split_open(const struct wm_module_file *f, Dwarf_Die *unit);

/* How many such files of @f are missing; *@text, malloc'ed: where, in words. */
size_t wm_split_missing(const struct wm_module_file *f, char **text);

#endif
