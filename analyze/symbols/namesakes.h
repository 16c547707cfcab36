/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of one name in several source files.  Lists by name add the file to
 * such a name: "init  rank.c".  Runs that are compared share one set, so that a
 * function has the same name in all of them.  A set owns its strings; a zeroed
 * set is empty.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/symbols/symbols.h"

struct wm_namesake {
	char *name;
	size_t parts; /* number of last parts of the path to show */
};

struct wm_namesakes {
	struct wm_namesake *row; /* in order of name */
	size_t count, cap;
	size_t runs;
	bool late; /* a run after the first one changed rows */
};

/* A second call for @s does nothing. */
enum wm_status wm_namesakes_add(struct wm_namesakes *n, struct wm_symbols *s,
				const struct wm_paths *paths,
				struct wm_err *err);
void wm_namesakes_release(struct wm_namesakes *n);

/* Returns the file to write behind the name of @s, or NULL. */
const char *wm_namesakes_file(const struct wm_namesakes *n,
			      const struct wm_symbol *s);
