/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes completely, whatever signals arrive. errno has the error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* No object or archive has more bytes. */
#define WM_OBJECT_MAX ((size_t)1 << 31)

/* Returns the number of bytes, smaller than @n at the end or after an error. */
size_t wm_read_all(int fd, void *p, size_t n);
bool wm_write_all(int fd, const void *p, size_t n);

/* Returns the bytes of the regular file @path, followed by a zero, which the
 * caller frees; or NULL if it cannot be read, or has more than @most bytes. */
void *wm_file_load(const char *path, size_t most, size_t *size);

/* Makes the new file @path with @n bytes.  Returns false with errno. */
bool wm_file_make(const char *path, const void *bytes, size_t n);
