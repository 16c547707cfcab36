/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owners of bytes: sections and variables of the plain program, functions
 * of the relinked program.
 *
 * One thread.  All functions return 0, or -1 when memory is short.
 */
#pragma once

#include <stddef.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/census_origins.h"

/*
 * Adds sections and rows of @plain to the model.  The rows of a section ascend
 * by address, with bytes without a symbol last; the bytes of the rows add up to
 * the size of the section.
 */
int wm_census_rows(struct wm_census_model *model, const struct wm_image *plain,
		   const struct wm_object_map *origins);

/*
 * Adds the functions of @twin to the model.  The object of a function comes
 * from @plain, if @plain has one function of that name and size.
 */
int wm_census_functions(struct wm_census_model *model,
			const struct wm_image *twin,
			const struct wm_image *plain,
			const struct wm_object_map *origins);
