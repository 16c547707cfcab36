/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds inlined calls in files of this machine, through libdw, for shared
 * libraries and for programs without a bundle.  One thread at a time.
 */
#pragma once

#include <stdbool.h>

#include "analyze/access/module_file.h"
#include "analyze/symbols/read_bundle.h"
#include "analyze/lib/base/texts.h"

struct wm_dwarf_unit {
	const void *unit; /* its first entry */
	bool sound; /* false: nests too deeply for libdw, or has no end */
};

/* Units that were checked; all zero is empty. */
struct wm_dwarf_units {
	struct wm_dwarf_unit *unit;
	size_t count, cap;
};

void wm_dwarf_units_release(struct wm_dwarf_units *units);

/* Finds the line of @address in @f, whose module must be there. */
void wm_line_at(const struct wm_module_file *f, uint64_t address,
		struct wm_location *location);

/*
 * Unfolds locations[0], which is the function at @address of @f with its line,
 * like wm_bundle_frames().  Returns the number of locations, which is at most
 * @room; @room is not 0.  If @room is too small, the outermost locations are
 * left out.  Names belong to libdw or to @made.  All calls for the open modules
 * share @units.
 */
size_t wm_inlined_unfold(struct wm_texts *made, struct wm_dwarf_units *units,
			 const struct wm_module_file *f, uint64_t address,
			 struct wm_location *locations, size_t room);
