/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions in tables for people.
 */
#ifndef WM_ANALYZE_BARE_NAMES_H
#define WM_ANALYZE_BARE_NAMES_H

#include <stdbool.h>

#include "analyze/render/json.h"
#include "analyze/render/table.h"

/*
 * Leave out the parameters of functions in @t, but where two functions of the
 * table differ only by them.  Returns false when memory is short; @t is then as
 * it was.
 */
bool wm_bare_names(struct wm_table *t);

/* A function's name that has parameters, by wm_parameters(). */
struct wm_bare_name {
	const char *text;
	size_t from, size; /* of the parameters */
	size_t of; /* the caller's */
	bool unique; /* no other one differs only in parameters */
};
/* Names of functions in the texts of an object (json.h: seen). */
struct wm_bare_list {
	struct wm_bare_name *name;
	size_t count, cap;
	char **copy;
	size_t copies, room;
	bool lost; /* memory was short */
};
/* Each function of "main;solve(int)"; @list: a struct wm_bare_list. */
void wm_bare_list_add(void *list, const char *text);
/* Key bare: each name that is known without its parameters, and that. */
void wm_bare_list_put(const struct wm_bare_list *list, struct wm_json *j);
void wm_bare_list_release(struct wm_bare_list *list);

#endif
