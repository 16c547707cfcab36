/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The census of static memory for people: sections that count, readable names,
 * and the order of rows.
 */
#ifndef WM_ANALYZE_STATICS_H
#define WM_ANALYZE_STATICS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/symbols/read_bundle.h"

/* "data", "bss" ... */
const char *wm_static_class(enum wm_census_class class);
/* Whether sections of @class are static memory. */
bool wm_static_is_counted(enum wm_census_class class);
/* The object's name for people: "libm.a(e_exp.o)" of "/lib/libm.a(e_exp.o)". */
const char *wm_static_object(const char *path);
/* The readable form of the first @n bytes of a linkage name, 0: for all of it;
 * malloc'ed.  NULL for NULL, and when memory is short. */
char *wm_static_name(const char *linkage, size_t n);

/* qsort() of pointers to rows of one census: members of an archive side by
 * side, rows without object last; of an object most bytes first. */
int wm_census_by_object(const void *a, const void *b);

#endif
