/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object files as a link map names them: FILE, or ARCHIVE(MEMBER).
 *
 * One thread; results come from malloc().
 */
#ifndef WM_WMCC_ARCHIVE_H
#define WM_WMCC_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wm_archive_kind { WM_ARCHIVE_NONE, WM_ARCHIVE_WHOLE, WM_ARCHIVE_THIN };

/* By the first bytes of the file. */
enum wm_archive_kind wm_archive_kind(const char *path);

/* The file before the parenthesis, or all of it; the caller frees it. */
char *wm_archive_of(const char *object);

/*
 * All bytes of @object, also from a thin archive, for which @is_it(bytes, size,
 * @what) is true: an archive may have several members of one name.  NULL: there
 * is none, or it cannot be read.
 */
uint8_t *wm_archive_load(const char *object,
			 bool (*is_it)(uint8_t *bytes, size_t size,
				       const void *what),
			 const void *what, size_t *size);

/* The entries of an archive, one after the other. */
struct wm_archive_entry {
	bool special; /* an index or the table of long names */
	const char *header;
	size_t at; /* offset of the header */
	const char *name;
	const char *file; /* of its bytes, in a thin archive; else NULL */
	const uint8_t *bytes;
	size_t size;
};

/* Go through @path, whose @size bytes stay the caller's; NULL: not an
 * archive. */
struct wm_archive *wm_archive_open(const char *path, const uint8_t *bytes,
				   size_t size);
/* @e is valid until the next call.  False: no more. */
bool wm_archive_next(struct wm_archive *a, struct wm_archive_entry *e);
/* False: the entries do not end where the file ends, or some have the format of
 * other systems. */
bool wm_archive_close(struct wm_archive *a);

#endif
