/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All bytes of a file or pipe, whatever signals come between.
 *
 * No state; errno says what went wrong.
 */
#ifndef WM_WMCC_FILE_H
#define WM_WMCC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* @n bytes from @fd; fewer: the end came, or an error. */
size_t wm_read_all(int fd, void *p, size_t n);
bool wm_write_all(int fd, const void *p, size_t n);

/*
 * The bytes of the regular file @path, with a zero behind it: *@size bytes that
 * the caller frees.  NULL: it cannot be read, or has more than @most bytes.
 */
char *wm_file_load(const char *path, size_t most, size_t *size);

#endif
