/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot and cold members: loads and stores of the chosen rank for each member of
 * the static structures, and arrays of structures, of the executable, and of
 * arrays of derived types that Fortran allocates for only one variable; and
 * which members had better be in a structure of their own.
 *
 * The list owns itself; texts are those of the names, which live longer.
 */
#ifndef WM_ANALYZE_ACCESS_MEMBERS_H
#define WM_ANALYZE_ACCESS_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/accesses/access_names.h"
#include "analyze/render/doc.h"

/* Structures with as many or more are left out. */
#define WM_ACCESS_MEMBERS 512

struct wm_access_sum {
	uint64_t accesses, loads, stores, bytes;
};

struct wm_member_use {
	struct wm_elements_member member;
	struct wm_access_sum sum; /* an access of several counts for each */
	bool cold; /* of an array that had better be split */
};

struct wm_structure_use {
	const struct wm_access_named *variable;
	uint64_t element_bytes,
		elements; /* 1: no array; of the largest block */
	struct wm_access_sum sum; /* of all of it */
	uint64_t unsure; /* accesses of which the member is not certain */
	struct wm_member_use *member; /* in their order */
	size_t members;
	/* Where it had better be split, else 0: bytes of the members that are
	 * hot, and on how many lines of 64 bytes those of 64 elements lie */
	uint64_t hot_bytes, lines;
};

struct wm_structure_uses {
	struct wm_structure_use *list; /* most accesses first */
	size_t count;
};

enum wm_status wm_structure_uses_make(struct wm_structure_uses *u,
				      const struct wm_analysis *a,
				      const struct wm_access_names *n,
				      struct wm_err *err);
void wm_structure_uses_release(struct wm_structure_uses *u);

/* report_structures.c: which members are hot, which are cold, and which had
 * better be apart. */
/* @top structures for people, 0: all; @audience: WM_FOR_TEXT or WM_FOR_DATA. */
enum wm_status wm_structures_tell(const struct wm_analysis *a,
				  const struct wm_access_names *n, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err);

#endif
