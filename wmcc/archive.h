/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object files as a link map names them: FILE, or ARCHIVE(MEMBER).
 *
 * One thread; what is returned comes from malloc().
 */
#ifndef WM_WMCC_ARCHIVE_H
#define WM_WMCC_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/* The file before the parenthesis, or all of it; the caller frees it. */
char *wm_archive_of(const char *object);

/* All bytes of @object, of thin archives, too; NULL: it can not be read. */
uint8_t *wm_archive_load(const char *object, size_t *size);

#endif
