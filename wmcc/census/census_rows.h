/* SPDX-License-Identifier: Apache-2.0 */
/* Makes rows of sections and variables of the plain program, and of functions
 * of the relinked program.  Functions return 0, or -1 without memory. */
#pragma once

#include <stddef.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/census_origins.h"

/* The rows of a section are in order of address, followed by rows for bytes
 * without a symbol; they add up to the size of the section. */
int wm_census_rows(struct wm_census_model *model, const struct wm_image *plain,
		   const struct wm_object_map *origins);

/* The object of a function comes from @plain, if all functions of that name and
 * size in @plain have the same object. */
int wm_census_functions(struct wm_census_model *model,
			const struct wm_image *twin,
			const struct wm_image *plain,
			const struct wm_object_map *origins);

/* These functions read debug information through libdw, and skip missing or
 * broken parts. */

/* Finds where the model's rows are declared, from the plain program. */
int wm_census_variables(struct wm_census_model *model,
			const struct wm_image *plain);

/* Adds the lines of the relinked program, and its inlined calls on request. */
int wm_census_lines(struct wm_census_model *model, const struct wm_image *twin,
		    bool with_inlines);

/* Reads source files for the variables that receive allocated memory. */
int wm_census_receivers(struct wm_census_model *model,
			const struct wm_image *twin);
