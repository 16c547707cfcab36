/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source lines from debug information, through libdw.
 *
 * Debug information is a hint: missing or broken parts are skipped.  One
 * thread. Functions return 0, or -1 when memory is short.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"

/* Finds where the model's rows are declared, from the plain program. */
int wm_census_variables(struct wm_census_model *model,
			const struct wm_image *plain);

/* Adds the line table of the relinked program, and its inlined calls if they
 * are wanted. */
int wm_census_lines(struct wm_census_model *model, const struct wm_image *twin,
		    bool with_inlines);

/* Adds the variables that receive the memory that lines of the model allocate,
 * read from source files. */
int wm_census_receivers(struct wm_census_model *model,
			const struct wm_image *twin);
