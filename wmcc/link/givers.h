/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which object or archive member gave a static program each function that is
 * wrapped, by the map of the plain link; and whether another link has taken
 * the same ones.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_GIVERS_H
#define WM_WMCC_GIVERS_H

#include "wmcc/census/linkmap.h"
#include "wmcc/link/program_info.h"

/* Points into the map. */
struct wm_givers {
	/* object file or archive(member); NULL: none, or the map is silent */
	const char *of[WM_FOUND_SYMBOLS];
	/* what stands in for it in the other link; NULL: nothing */
	const char *copy[WM_FOUND_SYMBOLS];
};

/* @map: the plain link's; of an empty one nothing is known. */
void wm_givers_find(struct wm_givers *g, const struct wm_program_info *o,
		    const struct wm_linkmap *map);

/* Is @object of the C library, or of an allocator that is known? */
bool wm_giver_is_libc(const char *object);
/* An object that the linker has made of the compiler's intermediate code? */
bool wm_giver_is_lto(const char *object);

/*
 * @text: what a linker said to --trace-symbol.  Why its program is another one
 * (for the caller to free), or NULL.
 */
char *wm_givers_compare(const struct wm_givers *g, const char *text);

#endif
