/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions without their parameters, for people. */
#pragma once

#include <stdbool.h>

#include "analyze/render/json.h"
#include "analyze/render/table.h"

/* Removes the parameters of functions in @t, except where two functions differ
 * only in them.  Returns false without memory, with @t unchanged. */
bool wm_bare_names(struct wm_table *t);

/* A function's name with parameters (wm_parameters()). */
struct wm_bare_name {
	const char *text;
	size_t from, size; /* of the parameters */
	size_t of; /* for the caller */
	bool unique; /* no other name differs only in its parameters */
};
/* Function names in the texts of a JSON object (wm_json.seen). */
struct wm_bare_list {
	struct wm_bare_name *name;
	size_t count, cap;
	char **copy;
	size_t copies, room;
	bool lost; /* names were lost without memory */
};
/* Adds each function of "main;solve(int)" to @list, a struct wm_bare_list. */
void wm_bare_list_add(void *list, const char *text);
/* Writes key "bare": names that are unique without parameters, in short. */
void wm_bare_list_put(const struct wm_bare_list *list, struct wm_json *j);
void wm_bare_list_release(struct wm_bare_list *list);
