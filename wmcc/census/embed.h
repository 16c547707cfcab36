/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a section that is not loaded to an ELF file.  The file only grows at its
 * end, so that everything that a linker wrote stays valid. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Adds or replaces section @name.  Returns 0, or -1 with a reason in @err and
 * the file unchanged. */
int wm_embed_section(const char *path, const char *name, const void *data,
		     size_t size, char *err, size_t err_size);

/* Returns whether @path has a section @name.  Stores its contents in *@text,
 * which the caller frees, or NULL if they have more than @most bytes.  Never
 * waits, whatever is at @path, and follows no link. */
bool wm_embed_read(const char *path, const char *name, char **text,
		   size_t most);
