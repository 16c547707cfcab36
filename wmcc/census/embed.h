/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Put bytes into an ELF file as a section that is not loaded.
 *
 * The file only grows at its end: nothing in it moves, so that everything that
 * a linker wrote stays valid.
 */
#ifndef WM_WMCC_EMBED_H
#define WM_WMCC_EMBED_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Add section @name with @size bytes at @data to the ELF file @path, or
 * replace it.  Returns 0, or -1 with a reason in @err (of @err_size bytes) and
 * the file as it was.
 */
int wm_embed_section(const char *path, const char *name, const void *data,
		     size_t size, char *err, size_t err_size);

/*
 * Is there a section @name in the ELF file @path?  *@text is its contents, for
 * the caller to free, or NULL if they have more than @most bytes.  Whatever is
 * at @path, this does not wait; links are not followed.
 */
bool wm_embed_read(const char *path, const char *name, char **text,
		   size_t most);

#endif
