/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object files as a link map names them: FILE, or ARCHIVE(MEMBER).
 *
 * One thread; what is returned comes from malloc().
 */
#ifndef WM_WMCC_ARCHIVE_H
#define WM_WMCC_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file before the parenthesis, or all of it; the caller frees it. */
char *wm_archive_of(const char *object);

/*
 * All bytes of @object, of thin archives, too, for which @is_it(bytes, size,
 * @what) is true: an archive may have several members of one name.  NULL: there
 * is none, or it can not be read.
 */
uint8_t *wm_archive_load(const char *object,
			 bool (*is_it)(uint8_t *bytes, size_t size,
				       const void *what),
			 const void *what, size_t *size);

#endif
