/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of an executable in static memory, from the symbol table of its
 * file or of the debug information.  The list owns its names. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/paths.h"

struct wm_variable {
	uint64_t address, bytes; /* as linked */
	char *name; /* linkage name */
};

struct wm_variables {
	struct wm_variable *variable; /* by address, without overlaps */
	size_t count, cap;
};

/* Returns WM_NOT_FOUND without a file of this build, or without variables. */
enum wm_status wm_variables_read(struct wm_variables *v,
				 const struct wm_module *exe,
				 struct wm_err *err);
void wm_variables_release(struct wm_variables *v);
