/* SPDX-License-Identifier: Apache-2.0 */
/* Renames symbols of objects and archives in place.  The new name must have the
 * length of the old name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_symbol_rename {
	const char *was;
	char *is;
};

/* @bytes must be aligned as malloc() aligns.  Returns the number of renamed
 * symbols, or -1 for another file, or if names share bytes. */
long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n);

/* Numbers in the index of an archive have eight bytes if it is @wide. */
void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n);
