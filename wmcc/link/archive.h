/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object files as named by a link map: FILE, or ARCHIVE(MEMBER).
 *
 * One thread; results come from malloc().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wm_archive_kind { WM_ARCHIVE_NONE, WM_ARCHIVE_WHOLE, WM_ARCHIVE_THIN };

/* Returns the kind by the first bytes of the file. */
enum wm_archive_kind wm_archive_kind(const char *path);

/* Returns the file before the parenthesis, or all of @object; the caller frees
 * it. */
char *wm_archive_of(const char *object);

/*
 * Returns the bytes of @object, also from a thin archive, for which
 * @is_it(bytes, size, @what) is true: an archive may have several members of
 * one name.  Returns NULL if there are none, or if they cannot be read.
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

/* Goes through @path, whose @size bytes stay the caller's.  Returns NULL if it
 * is not an archive. */
struct wm_archive *wm_archive_open(const char *path, const uint8_t *bytes,
				   size_t size);
/* Stores the next entry in @e, which is valid until the next call.  Returns
 * false if there are no more entries. */
bool wm_archive_next(struct wm_archive *a, struct wm_archive_entry *e);
/* Returns false if the entries do not end where the file ends, or if some have
 * the format of other systems. */
bool wm_archive_close(struct wm_archive *a);
