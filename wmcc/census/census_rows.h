/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owners of bytes: sections and variables of the plain program, functions
 * of the relinked one.
 *
 * One thread.  All return 0, or -1 when memory is short.
 */
#ifndef WM_WMCC_CENSUS_ROWS_H
#define WM_WMCC_CENSUS_ROWS_H

#include <stddef.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/census_origins.h"

/*
 * Sections and rows of @plain into the model.  The rows of a section ascend
 * by address, bytes without a symbol come last; they add up to its size.
 */
int wm_census_rows(struct wm_census_model *model, const struct wm_image *plain,
		   const struct wm_object_map *origins);

/*
 * Functions of @twin into the model.  Their objects come from @plain, if it has
 * one function of that name and size.
 */
int wm_census_functions(struct wm_census_model *model,
			const struct wm_image *twin,
			const struct wm_image *plain,
			const struct wm_object_map *origins);

#endif
