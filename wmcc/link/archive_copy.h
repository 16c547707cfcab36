/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of an archive with other bytes for some of its members.  Their order,
 * members of one name, and what the index says of who defines what stay; a
 * thin archive becomes a whole one.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_ARCHIVE_COPY_H
#define WM_WMCC_ARCHIVE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_member {
	const char *name; /* of a thin archive: its file */
	const uint8_t *bytes;
	size_t size;
};

/*
 * The *@size bytes from malloc() that replace a member, or NULL: it stays.
 * @context is the caller's.
 */
typedef uint8_t *(*wm_member_choice)(const struct wm_member *m, size_t *size,
				     void *context);
typedef void (*wm_index_turn)(uint8_t *bytes, size_t size, bool wide,
			      void *context);

/*
 * Ask @choose for each member of @path, and if one is replaced write the copy
 * to @copy; @turn (or NULL) may change names in its index, whose numbers have
 * eight bytes where it is @wide.  How many are replaced; -1: it is no archive that we know, or the
 * copy cannot be written, with errno.
 */
long wm_archive_copy(const char *path, const char *copy,
		     wm_member_choice choose, wm_index_turn turn,
		     void *context);

#endif
