/* SPDX-License-Identifier: Apache-2.0 */
/* Finds inlined calls through libdw, in shared libraries and in programs
 * without a bundle.  One thread at a time. */
#pragma once

#include <stdbool.h>

#include "analyze/access/module_file.h"
#include "analyze/symbols/read_bundle.h"
#include "analyze/lib/base/texts.h"

struct wm_dwarf_unit {
	const void *unit; /* address of its first entry */
	bool sound; /* false: nests too deeply for libdw, or has no end */
};

struct wm_dwarf_units {
	struct wm_dwarf_unit *unit;
	size_t count, cap;
};

void wm_dwarf_units_release(struct wm_dwarf_units *units);

/* f->mod must not be NULL. */
void wm_line_at(const struct wm_module_file *f, uint64_t address,
		struct wm_location *location);

/*
 * locations[0] is the function at @address.  Stores the functions inlined there
 * before it, as wm_bundle_frames() does; if @room is too small, the outermost
 * are left out.  Returns the number of locations, at least 1.  Names belong to
 * libdw or to @made.  All calls for the open modules share @units.
 */
size_t wm_inlined_unfold(struct wm_texts *made, struct wm_dwarf_units *units,
			 const struct wm_module_file *f, uint64_t address,
			 struct wm_location *locations, size_t room);
