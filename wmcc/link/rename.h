/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Renames symbols of objects and archives in place.  The old and the new name
 * have the same length, so that nothing moves.
 *
 * One thread; the bytes belong to the caller.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_symbol_rename {
	const char *was;
	char *is;
};

/*
 * Renames symbols in the relocatable object @bytes, which is aligned by
 * malloc(). Returns the number of renamed symbols, or -1 if it is not such an
 * object, or if the bytes of the name are also part of another symbol's name.
 */
long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n);

/* Renames symbols in the index of an archive, whose numbers have eight bytes if
 * the index is @wide. */
void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n);
