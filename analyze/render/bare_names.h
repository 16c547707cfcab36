/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions without their parameters, for people. */
#pragma once

#include <stdbool.h>

#include "analyze/render/json.h"
#include "analyze/render/table.h"

/* Leaves out the parameters of functions in @t, unless two functions of the
 * table differ only in their parameters.  Returns false if memory is short; @t
 * is unchanged then. */
bool wm_bare_names(struct wm_table *t);

/* A function's name that has parameters, by wm_parameters(). */
struct wm_bare_name {
	const char *text;
	size_t from, size; /* of the parameters */
	size_t of; /* the caller's */
	bool unique; /* no other name differs only in parameters */
};
/* Names of functions in the texts of a JSON object (json.h: seen). */
struct wm_bare_list {
	struct wm_bare_name *name;
	size_t count, cap;
	char **copy;
	size_t copies, room;
	bool lost; /* names were lost because memory is short */
};
/* Adds each function of "main;solve(int)" to @list, a struct wm_bare_list. */
void wm_bare_list_add(void *list, const char *text);
/* Writes key "bare": the names that are unique without parameters, with their
 * forms without parameters. */
void wm_bare_list_put(const struct wm_bare_list *list, struct wm_json *j);
void wm_bare_list_release(struct wm_bare_list *list);
