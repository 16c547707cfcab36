/* SPDX-License-Identifier: Apache-2.0 */
/* Reads debug information through libdw.  Skips missing or broken parts.
 * Functions return 0, or -1 without memory. */
#pragma once

#include <stdbool.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"

/* Finds where the model's rows are declared, from the plain program. */
int wm_census_variables(struct wm_census_model *model,
			const struct wm_image *plain);

/* Adds the lines of the relinked program, and its inlined calls on request. */
int wm_census_lines(struct wm_census_model *model, const struct wm_image *twin,
		    bool with_inlines);

/* Reads source files for the variables that receive allocated memory. */
int wm_census_receivers(struct wm_census_model *model,
			const struct wm_image *twin);
