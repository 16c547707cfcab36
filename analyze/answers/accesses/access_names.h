/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the variables, members and places of an access table, with the same
 * numbers as in the table.  Texts belong to the struct, to the symbols or to
 * the census.  One thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/symbols/elements.h"
#include "analyze/symbols/symbols.h"
#include "analyze/lib/base/texts.h"

struct wm_access_named {
	const char *kind; /* heap, map, mpi, static, stack, other */
	const char *name; /* of a block: its allocation site */
	const char *file; /* NULL: unknown */
	uint32_t line; /* 0: unknown */
};

struct wm_access_names {
	/* all NULL if there are no accesses */
	struct wm_access_named *variable;
	const struct wm_symbol **spot; /* function and line; NULL: no cell */
	struct wm_elements *elements; /* of the executable; NULL: unknown */
	struct wm_err why; /* the reason if .elements is NULL */
	struct wm_texts texts;
};

enum wm_status wm_access_names_make(struct wm_access_names *n,
				    const struct wm_analysis *a,
				    struct wm_err *err);
void wm_access_names_release(struct wm_access_names *n);
/* Returns the number of the variable that reports show for variable @number: if
 * @number is a region over a static variable of known type, that variable, else
 * @number itself.  The caller adds *@shift to offsets in @number. */
uint32_t wm_access_shown(const struct wm_access_names *n,
			 const struct wm_analysis *a, uint32_t number,
			 int64_t *shift);
/* Returns the type of each element of the blocks of variable @number, or NULL
 * if it is uncertain.  It is certain for derived types of Fortran's arrays. */
const struct wm_elements_variable *
wm_access_element(const struct wm_access_names *n, const struct wm_analysis *a,
		  uint32_t number);
/*
 * Returns the part of its variable that cell number @cell touches, after the
 * variable's name: "cells[].pos.x"; for an allocatable array of a derived type
 * "markers(:)%x"; for a region whose elements have a size "pressure[]"; for a
 * block its offsets, "make_field +8, +0..72 by 24".  Returns NULL if memory is
 * short.
 */
const char *wm_access_member(struct wm_access_names *n,
			     const struct wm_analysis *a, size_t cell);
