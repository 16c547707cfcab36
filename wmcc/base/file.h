/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complete reads and writes of a file or pipe, whatever signals arrive.
 *
 * No state; errno has the error.
 */
#ifndef WM_WMCC_FILE_H
#define WM_WMCC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* More bytes than an object or archive has. */
#define WM_OBJECT_MAX ((size_t)1 << 31)

/* Read @n bytes from @fd; fewer at the end of the file, or after an error. */
size_t wm_read_all(int fd, void *p, size_t n);
bool wm_write_all(int fd, const void *p, size_t n);

/*
 * The bytes of the regular file @path, and a zero behind them: *@size bytes,
 * which the caller frees.  NULL: it cannot be read, or has more than @most.
 */
char *wm_file_load(const char *path, size_t most, size_t *size);

/* Make @path, which must not exist, with @n bytes; false with errno. */
bool wm_file_make(const char *path, const void *bytes, size_t n);

#endif
