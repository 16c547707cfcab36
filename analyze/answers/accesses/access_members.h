/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hot and cold members: the loads and stores of the chosen rank for each member
 * of structures, and the members that should move to a structure of their own.
 * Covers the executable's static variables and arrays, and Fortran's
 * allocatable arrays of a derived type that belong to one variable.  The list
 * owns its rows; texts belong to the names, which must outlive it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/accesses/access_names.h"
#include "analyze/render/doc.h"

/* Structures with this many members or more are left out. */
#define WM_ACCESS_MEMBERS 512

struct wm_access_sum {
	uint64_t accesses, loads, stores, bytes;
};

struct wm_member_use {
	struct wm_elements_member member;
	/* an access to several members counts for each of them */
	struct wm_access_sum sum;
	bool cold; /* the member is cold, and the array should be split */
};

struct wm_structure_use {
	const struct wm_access_named *variable;
	uint64_t element_bytes,
		elements; /* of the largest block; 1: no array */
	struct wm_access_sum sum; /* of the whole variable */
	uint64_t unsure; /* accesses whose member is uncertain */
	struct wm_member_use *member; /* in order of their offsets */
	size_t members;
	/* If the structure should be split (else 0): bytes of its hot members,
	 * and cache lines of 64 bytes with hot members of 64 elements. */
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

/* report_structures.c: writes the members that are hot, cold, or should be
 * split off.  @top limits the structures for people, 0: all.  @audience is
 * WM_FOR_TEXT or WM_FOR_DATA. */
enum wm_status wm_structures_tell(const struct wm_analysis *a,
				  const struct wm_access_names *n, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err);
