/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences between two profiles: functions and call paths, matched by
 * name.
 *
 * If a function has another name in the second profile and at least two callers
 * show this, both names count as one function (struct wm_renames).  Lists own
 * their strings.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/profile.h"

/* One function or call path; 0 blocks: the profile has none of it. */
struct wm_difference {
	char *key; /* the path, or the part of a path that is the function */
	char *name; /* name of the function, or of the path's site */
	const char *path; /* "main;solve"; NULL: the row is a function */
	char *file; /* the second profile's, else the first's; or NULL */
	uint32_t line;
	uint64_t bytes_a, bytes_b, blocks_a, blocks_b;
};

struct wm_differences {
	struct wm_difference *row; /* the greatest change first */
	size_t count;
};

/* Returns "grew", "shrank", "appeared", "vanished" or "same". */
const char *wm_difference_status(const struct wm_difference *d);
static inline int64_t wm_change(uint64_t a, uint64_t b)
{
	return (int64_t)(b - a);
}

struct wm_rename {
	char *from, *to;
	size_t callers; /* the number of callers that show the rename */
};

struct wm_renames {
	struct wm_rename *row;
	size_t count, cap;
};

/*
 * Finds functions that only @a has, and for each a function that only @b has
 * and that takes its place on call paths from at least two callers.
 */
enum wm_status wm_renames_find(struct wm_renames *r, const struct wm_profile *a,
			       const struct wm_profile *b, struct wm_err *err);
void wm_renames_release(struct wm_renames *r);
/* Returns @name as the second profile has it. */
const char *wm_rename(const struct wm_renames *r, const char *name);
/* Does the same for all names of a path; malloc'ed.  Returns NULL if memory is
 * short. */
char *wm_rename_path(const struct wm_renames *r, const char *path);

/* Compares functions, or with @paths call paths, at WM_AT_PEAK or WM_AT_END.
 * Rows that hold nothing in both profiles are left out. */
enum wm_status wm_compare(struct wm_differences *d, const struct wm_profile *a,
			  const struct wm_profile *b,
			  const struct wm_renames *r, bool paths,
			  enum wm_moment moment, struct wm_err *err);
void wm_differences_release(struct wm_differences *d);
