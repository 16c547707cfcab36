/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The census of static memory for people: sections that count, readable names,
 * and the order of rows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/symbols/read_bundle.h"

/* Returns "data", "bss" ... */
const char *wm_static_class(enum wm_census_class class);
/* Whether sections of @class are static memory. */
bool wm_static_is_counted(enum wm_census_class class);
/* Returns the object's name for people: "libm.a(e_exp.o)" for
 * "/lib/libm.a(e_exp.o)". */
const char *wm_static_object(const char *path);
/* Returns the readable form of the first @n bytes of a linkage name, or of the
 * whole name if @n is 0; malloc'ed.  Returns NULL for NULL, and if memory is
 * short. */
char *wm_static_name(const char *linkage, size_t n);

/* Compares two pointers to rows of one census, for qsort().  Members of an
 * archive come side by side, and rows without object last; within an object,
 * the row with most bytes comes first. */
int wm_census_by_object(const void *a, const void *b);
