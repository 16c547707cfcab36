/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds bytes to an ELF file as a section that is not loaded.
 *
 * The file only grows at its end: nothing in it moves, so everything that a
 * linker wrote stays valid.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Adds section @name with @size bytes at @data to the ELF file @path, or
 * replaces that section.  Returns 0, or -1 with a reason in @err (of @err_size
 * bytes) and the file unchanged.
 */
int wm_embed_section(const char *path, const char *name, const void *data,
		     size_t size, char *err, size_t err_size);

/*
 * Whether there is a section @name in the ELF file @path.  *@text becomes the
 * contents of the section, which the caller frees, or NULL if they have more
 * than @most bytes.  This function never waits, whatever is at @path; links are
 * not followed.
 */
bool wm_embed_read(const char *path, const char *name, char **text,
		   size_t most);
