/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the variables, members and places of an access table, for people.
 *
 * By number, as in the table of the analysis.  Texts belong to this, to the
 * symbols or to the census.  One thread at a time.
 */
#ifndef WM_ANALYZE_ACCESS_NAMES_H
#define WM_ANALYZE_ACCESS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/symbols/elements.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/base/texts.h"

struct wm_access_named {
	const char *kind; /* heap, map, mpi, static, stack, other */
	const char *name; /* of a block its allocation site */
	const char *file; /* NULL: unknown */
	uint32_t line; /* 0: unknown */
};

struct wm_access_names {
	struct wm_access_named *variable; /* without accesses: all NULL */
	const struct wm_symbol **spot; /* function and line; NULL: no cell */
	struct wm_elements *elements; /* of the executable; NULL: not known */
	struct wm_err why; /* then */
	struct wm_texts texts;
};

/* For the chosen rank. */
enum wm_status wm_access_names_make(struct wm_access_names *n,
				    const struct wm_analysis *a,
				    struct wm_err *err);
void wm_access_names_release(struct wm_access_names *n);
/*
 * The number of the variable that reports show for variable @number: for a
 * region that covers a static variable of known type, that variable; else
 * itself.  *@shift is to be added to offsets in @number.
 */
uint32_t wm_access_shown(const struct wm_access_names *n,
			 const struct wm_analysis *a, uint32_t number,
			 int64_t *shift);
/* The type of each element of the blocks of variable @number, if it is certain
 * (derived types of Fortran's arrays); else NULL. */
const struct wm_elements_variable *
wm_access_element(const struct wm_access_names *n, const struct wm_analysis *a,
		  uint32_t number);
/*
 * The part of its variable that cell number @cell touches, with the variable's
 * name: cells[].pos.x; for an allocatable array of a derived type,
 * markers(:)%x; for a region whose elements have a size, pressure[]; for a
 * block the offsets: make_field +8, +0..72 by 24.  NULL: memory is short.
 */
const char *wm_access_member(struct wm_access_names *n,
			     const struct wm_analysis *a, size_t cell);

#endif
