/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inlined calls of the relinked program, taken unit by unit while
 * census_lines.c has the debug information open.
 *
 * A missing or broken part of it is passed over.  One thread.
 */
#ifndef WM_WMCC_CENSUS_INLINES_H
#define WM_WMCC_CENSUS_INLINES_H

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
	struct wm_vec found; /* what finish() puts in order */
	unsigned visits; /* entries that may still be looked at */
	uint32_t functions; /* seen so far */
	bool failed; /* memory was short */
};

void wm_inlines_init(struct wm_inlines *in, struct wm_census_model *model,
		     const struct wm_image *twin);
void wm_inlines_release(struct wm_inlines *in);

/* The inlined calls of the unit @die, a split one's from its own file. */
void wm_inlines_take(struct wm_inlines *in, Dwarf_Die *die);

/* Before libdw's handle goes. */
void wm_inlines_forget(struct wm_inlines *in);

/* All are taken: into the model.  Returns 0, or -1 when memory was short. */
int wm_inlines_finish(struct wm_inlines *in);

#endif
