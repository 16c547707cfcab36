/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inlined calls in files of this machine, through libdw: for shared libraries
 * and programs without a bundle.  One thread at a time.
 */
#ifndef WM_ANALYZE_INLINED_H
#define WM_ANALYZE_INLINED_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "analyze/symbols/bundle.h"
#include "analyze/symbols/texts.h"

struct wm_dwarf_unit {
	const void *unit; /* its first entry */
	bool sound; /* false: nests too deeply for libdw, or has no end */
};

/* Units that were asked for; all zero is none. */
struct wm_dwarf_units {
	struct wm_dwarf_unit *unit;
	size_t count, cap;
};

void wm_dwarf_units_release(struct wm_dwarf_units *units);

/*
 * Unfold locations[0], the function and line at @address of @mod, as
 * wm_bundle_frames() does.  Returns the number of locations, at most @room,
 * which is not 0; the outermost are left out when it is too small.  Names
 * belong to libdw or to @made.  @units: of all calls for the modules that are
 * open.
 */
size_t wm_inlined_unfold(struct wm_texts *made, struct wm_dwarf_units *units,
			 Dwfl_Module *mod, uint64_t address,
			 struct wm_location *locations, size_t room);

#endif
