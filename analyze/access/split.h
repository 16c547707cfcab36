/* SPDX-License-Identifier: Apache-2.0 */
/* Debug information in separate files, one for each unit (-gsplit-dwarf), which
 * libdw opens where they were made or beside the program.  One thread at a
 * time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/access/module_file.h"

/* Changes @unit of @f to the unit with the entries, which may be in a separate
 * file.  Returns false if that file is missing, or a pipe or a device. */
bool wm_split_open(const struct wm_module_file *f, Dwarf_Die *unit);

/* Returns how many such files are missing; *@text, malloc'ed, describes
 * them. */
size_t wm_split_missing(const struct wm_module_file *f, char **text);
