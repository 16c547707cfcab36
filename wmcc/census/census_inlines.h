/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the inlined calls of the relinked program, unit by unit, while
 * census_lines.c has the debug information open.  Skips broken parts. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "wmcc/census/census_elf.h"
#include "wmcc/census/census_model.h"
#include "wmcc/census/census_names.h"

struct wm_inlines {
	struct wm_census_model *model;
	const struct wm_image *twin;
	struct wm_names names;
	struct wm_vec ranges; /* of the open entries */
	struct wm_vec found; /* rows, in order after finish() */
	unsigned visits; /* entries that may still be visited */
	uint32_t functions;
	bool failed;
};

void wm_inlines_init(struct wm_inlines *in, struct wm_census_model *model,
		     const struct wm_image *twin);
void wm_inlines_release(struct wm_inlines *in);

/* The calls of a split unit come from its own file. */
void wm_inlines_take(struct wm_inlines *in, Dwarf_Die *die);

/* Puts all calls into the model.  Returns 0, or -1 without memory. */
int wm_inlines_finish(struct wm_inlines *in);
