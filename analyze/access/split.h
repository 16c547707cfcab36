/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug information that the compiler has put into separate files, one for each
 * unit (-gsplit-dwarf).  libdw opens these files where they were made, or
 * beside the program.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/access/module_file.h"

/* Changes @unit of @f to the unit that has the entries: the same unit, or the
 * unit in its separate file.  Returns false if that file is missing, or is a
 * pipe or a device. */
bool wm_split_open(const struct wm_module_file *f, Dwarf_Die *unit);

/* Returns how many such files of @f are missing; *@text, malloc'ed, describes
 * them. */
size_t wm_split_missing(const struct wm_module_file *f, char **text);
