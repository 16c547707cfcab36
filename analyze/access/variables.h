/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables of an executable, with their places in static memory.
 *
 * They are from the symbol table of the file, or of the file with its debug
 * information.  The list owns its names.
 */
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
	struct wm_variable *variable; /* by address; they do not overlap */
	size_t count, cap;
};

/* Returns WM_NOT_FOUND if @exe is gone, of another build, or without
 * variables. */
enum wm_status wm_variables_read(struct wm_variables *v,
				 const struct wm_module *exe,
				 struct wm_err *err);
void wm_variables_release(struct wm_variables *v);
