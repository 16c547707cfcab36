/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a copy of an archive with other bytes for some of its members.  The
 * order of members, members with equal names, and the definitions that the
 * index lists stay the same; a thin archive becomes a complete one.
 *
 * One thread, may allocate.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_member {
	const char *name; /* in a thin archive: the member's file */
	const uint8_t *bytes;
	size_t size;
};

/*
 * Returns the *@size bytes from malloc() that replace a member, or NULL if the
 * member is kept.  @context is the caller's.
 */
typedef uint8_t *(*wm_member_choice)(const struct wm_member *m, size_t *size,
				     void *context);
typedef void (*wm_index_turn)(uint8_t *bytes, size_t size, bool wide,
			      void *context);

/*
 * Asks @choose for each member of @path, and writes the copy to @copy if a
 * member is replaced.  @turn (or NULL) may change names in the index of the
 * copy, whose numbers have eight bytes if the index is @wide.  Returns the
 * number of replaced members, or -1 with errno if the archive has no known
 * format, or if the copy cannot be written.
 */
long wm_archive_copy(const char *path, const char *copy,
		     wm_member_choice choose, wm_index_turn turn,
		     void *context);
