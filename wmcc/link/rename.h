/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other names for symbols of objects and archives, in place: an old and a new
 * name have the same length, so that nothing moves.
 *
 * One thread; what is changed belongs to the caller.
 */
#ifndef WM_WMCC_RENAME_H
#define WM_WMCC_RENAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_symbol_rename {
	const char *was;
	char *is;
};

/*
 * In the relocatable object @bytes, which malloc() has aligned.  The number of
 * names that are others now; -1: it is no such object, or keeps the name in
 * bytes that are a part of another symbol's, too.
 */
long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n);

/* In the index of an archive, whose numbers have eight bytes where it is
 * @wide. */
void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n);

#endif
