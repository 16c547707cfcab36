/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions in tables for people.
 */
#ifndef WM_ANALYZE_BARE_NAMES_H
#define WM_ANALYZE_BARE_NAMES_H

#include <stdbool.h>

#include "analyze/render/table.h"

/*
 * Leave out the parameters of functions in @t, but where two functions of the
 * table differ by them alone.  Returns false when memory is short; @t is then
 * as it was.
 */
bool wm_bare_names(struct wm_table *t);

/* A function's name that has parameters, by wm_parameters(). */
struct wm_bare_name {
	const char *text;
	size_t from, size; /* of the parameters */
	size_t of; /* the caller's */
	bool unique; /* no other one differs in parameters alone */
};
/* Finds that out, and leaves @name in another order. */
void wm_bare_names_find(struct wm_bare_name *name, size_t count);

#endif
