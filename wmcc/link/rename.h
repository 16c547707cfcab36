/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rename symbols of objects and archives in place: the old and the new name
 * have the same length, so that nothing moves.
 *
 * One thread; the bytes belong to the caller.
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
 * In the relocatable object @bytes, which is aligned by malloc().  The number
 * of renamed symbols; -1: it is not such an object, or the bytes of the name
 * are part of another symbol's name, too.
 */
long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n);

/* In the index of an archive, whose numbers have eight bytes if it is @wide. */
void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n);

#endif
