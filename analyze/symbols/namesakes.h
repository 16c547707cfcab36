/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions that are in several source files.  In lists by name such a
 * function has its file behind its name, "init  rank.c".
 *
 * Runs that are compared share one set, so that a function has the same name in
 * all of them.  A set owns its strings; a zeroed set is empty.  One thread at a
 * time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/symbols/symbols.h"

struct wm_namesake {
	char *name;
	size_t parts; /* at the ends of their paths, by which they differ */
};

struct wm_namesakes {
	struct wm_namesake *row; /* in order of name */
	size_t count, cap;
	size_t runs; /* number of runs added */
	bool late; /* a run after the first one added some */
};

/* Adds the names of all functions in @paths; to be called once for each @s. */
enum wm_status wm_namesakes_add(struct wm_namesakes *n, struct wm_symbols *s,
				const struct wm_paths *paths,
				struct wm_err *err);
void wm_namesakes_release(struct wm_namesakes *n);

/* Returns the file to write behind the name of @s, or NULL. */
const char *wm_namesakes_file(const struct wm_namesakes *n,
			      const struct wm_symbol *s);
