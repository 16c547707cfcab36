/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The census of static memory: taken from the plain program, stored with the
 * symbols and lines of its relinked twin in the twin's section .wm_census
 * (docs/census-format.md).
 */
#ifndef WM_WMCC_CENSUS_H
#define WM_WMCC_CENSUS_H

#include <stddef.h>

struct wm_census_input {
	const char *plain; /* the user's executable, or an unstripped copy */
	const char *twin; /* the relinked one; the section is added in place */
	const char *map; /* link map of the plain link; NULL: none */
	/* where a stripped twin's symbols and lines are: the same link without
	 * stripping, byte for byte the same code; NULL: in the twin */
	const char *twin_symbols;
	/* what to call the program; NULL: the base name of @plain */
	const char *program;
};

/*
 * Works in a child process and survives whatever broken debug information may
 * do to it: then there is less in the census.  Children of the caller are not
 * waited for; the caller must be single-threaded.
 *
 * Returns 0, or -1 with one line in @err (of @size bytes).  On failure the
 * twin is as it was.
 */
int wm_census_embed(const struct wm_census_input *in, char *err, size_t size);

#endif
