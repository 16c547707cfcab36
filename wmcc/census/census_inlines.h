/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the inlined calls of the relinked program, unit by unit, while
 * census_lines.c has the debug information open.
 *
 * A missing or broken part of the debug information is skipped.  One thread.
 */
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
	struct wm_vec found; /* the rows, put in order by finish() */
	unsigned visits; /* entries that may still be visited */
	uint32_t functions; /* number of functions so far */
	bool failed; /* memory was short */
};

void wm_inlines_init(struct wm_inlines *in, struct wm_census_model *model,
		     const struct wm_image *twin);
void wm_inlines_release(struct wm_inlines *in);

/* Adds the inlined calls of the unit @die; those of a split unit come from its
 * own file. */
void wm_inlines_take(struct wm_inlines *in, Dwarf_Die *die);

/* Forgets data of libdw.  Called before libdw's handle is closed. */
void wm_inlines_forget(struct wm_inlines *in);

/* Puts all calls into the model.  Returns 0, or -1 when memory was short. */
int wm_inlines_finish(struct wm_inlines *in);
