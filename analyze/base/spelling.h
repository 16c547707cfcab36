/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that people type: beginnings of a name, and names with a slip.
 *
 * Pure functions, any thread.  A list of names ends with NULL; @n bytes of
 * @text count.
 */
#ifndef WM_ANALYZE_SPELLING_H
#define WM_ANALYZE_SPELLING_H

#include <stddef.h>

/* The first of @names from @from on that @text is, or is the beginning of;
 * NULL: none. */
const char *const *wm_spelling_begun(const char *const *from, const char *text,
				     size_t n);
/*
 * The name that lies nearest to @text: one letter is missing, too many, another
 * one or changed places with its neighbour, in longer names two of that; NULL:
 * none is near.
 */
const char *wm_spelling_near(const char *const *names, const char *text,
			     size_t n);

#endif
