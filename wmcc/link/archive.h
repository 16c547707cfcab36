/* SPDX-License-Identifier: Apache-2.0 */
/* Reads object files as named by a link map: FILE, or ARCHIVE(MEMBER).  Results
 * are malloc'ed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wm_archive_kind { WM_ARCHIVE_NONE, WM_ARCHIVE_WHOLE, WM_ARCHIVE_THIN };

enum wm_archive_kind wm_archive_kind(const char *path);

/* Returns the archive in ARCHIVE(MEMBER), or a copy of @object. */
char *wm_archive_of(const char *object);

/* An archive may have several members of one name: returns the bytes for which
 * @is_it(bytes, size, @what) is true, or NULL.  Reads thin archives, too. */
uint8_t *wm_archive_load(const char *object,
			 bool (*is_it)(uint8_t *bytes, size_t size,
				       const void *what),
			 const void *what, size_t *size);

struct wm_archive_entry {
	bool special; /* an index, or the table of long names */
	const char *header;
	size_t at; /* offset of the header */
	const char *name;
	const char *file; /* file of a thin archive's member; else NULL */
	const uint8_t *bytes;
	size_t size;
};

/* @bytes must stay valid.  Returns NULL if they are not an archive. */
struct wm_archive *wm_archive_open(const char *path, const uint8_t *bytes,
				   size_t size);
/* Stores an entry that is valid until the next call.  Returns false at the
 * end. */
bool wm_archive_next(struct wm_archive *a, struct wm_archive_entry *e);
/* Returns false if entries do not end where the file ends, or if some have the
 * format of other systems. */
bool wm_archive_close(struct wm_archive *a);
