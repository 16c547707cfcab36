/* SPDX-License-Identifier: Apache-2.0 */
/* Copies an archive with other bytes for some members.  The order of members,
 * members of equal names, and the index stay the same; a thin archive becomes a
 * complete one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_member {
	const char *name; /* of a thin archive: the member's file */
	const uint8_t *bytes;
	size_t size;
};

/* Returns the *@size malloc'ed bytes that replace a member, or NULL to keep
 * it. */
typedef uint8_t *(*wm_member_choice)(const struct wm_member *m, size_t *size,
				     void *context);
typedef void (*wm_index_turn)(uint8_t *bytes, size_t size, bool wide,
			      void *context);

/*
 * @turn (or NULL) may change names in the index, whose numbers have eight bytes
 * if it is @wide.  Returns the number of replaced members (with 0 there is no
 * copy), or -1 with errno if the format is unknown, or @copy cannot be written.
 */
long wm_archive_copy(const char *path, const char *copy,
		     wm_member_choice choose, wm_index_turn turn,
		     void *context);
