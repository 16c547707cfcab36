/* SPDX-License-Identifier: Apache-2.0 */
/* Finds by the map of the plain link the object that provides each wrapped
 * function of a static program, and compares it with another link. */
#pragma once

#include "wmcc/census/linkmap.h"
#include "wmcc/link/program_info.h"

/* Points into the map. */
struct wm_givers {
	/* object file or archive(member); NULL: none, or not in the map */
	const char *of[WM_FOUND_SYMBOLS];
	/* replaces the object in the other link; NULL: none */
	const char *copy[WM_FOUND_SYMBOLS];
};

/* With an empty @map, nothing is known. */
void wm_givers_find(struct wm_givers *g, const struct wm_program_info *o,
		    const struct wm_linkmap *map);

/* Returns whether @object is in the C library, or in a known allocator. */
bool wm_giver_is_libc(const char *object);
/* Returns whether the linker has made the object in link-time optimization. */
bool wm_giver_is_lto(const char *object);

/* @text is the output of a linker with --trace-symbol.  Returns NULL, or the
 * reason why its program differs, which the caller frees. */
char *wm_givers_compare(const struct wm_givers *g, const char *text);
