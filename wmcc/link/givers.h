/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the object or archive member from which a static program has each
 * wrapped function, by the map of the plain link, and checks whether another
 * link has taken the same ones.
 *
 * One thread, may allocate.
 */
#pragma once

#include "wmcc/census/linkmap.h"
#include "wmcc/link/program_info.h"

/* Points into the map. */
struct wm_givers {
	/* object file or archive(member); NULL: none, or not in the map */
	const char *of[WM_FOUND_SYMBOLS];
	/* its replacement in the other link; NULL: none */
	const char *copy[WM_FOUND_SYMBOLS];
};

/* Finds the objects by @map, the map of the plain link; if it is empty, nothing
 * is known. */
void wm_givers_find(struct wm_givers *g, const struct wm_program_info *o,
		    const struct wm_linkmap *map);

/* Whether @object is in the C library, or in a known allocator. */
bool wm_giver_is_libc(const char *object);
/* Whether the linker has made the object from the compiler's intermediate
 * code. */
bool wm_giver_is_lto(const char *object);

/*
 * Compares with @text, a linker's answers to --trace-symbol.  Returns NULL, or
 * the reason why the program of that link differs, which the caller frees.
 */
char *wm_givers_compare(const struct wm_givers *g, const char *text);
