/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complete reads and writes of a file or pipe, whatever signals arrive.
 *
 * No state; errno has the error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A limit that no object or archive reaches. */
#define WM_OBJECT_MAX ((size_t)1 << 31)

/* Reads @n bytes from @fd.  Returns the number of bytes read, which is smaller
 * at the end of the file, or after an error. */
size_t wm_read_all(int fd, void *p, size_t n);
bool wm_write_all(int fd, const void *p, size_t n);

/*
 * Returns the bytes of the regular file @path, followed by a zero, and their
 * number in *@size; the caller frees them.  Returns NULL if the file cannot be
 * read, or has more than @most bytes.
 */
char *wm_file_load(const char *path, size_t most, size_t *size);

/* Makes @path, which must not exist, with @n bytes.  Returns false with
 * errno. */
bool wm_file_make(const char *path, const void *bytes, size_t n);
