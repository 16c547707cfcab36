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
};

/*
 * Returns 0, or -1 with one line in @err (of @size bytes).  On failure the
 * twin is as it was.
 */
int wm_census_embed(const struct wm_census_input *in, char *err, size_t size);

#endif
