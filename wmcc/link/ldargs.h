/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the requests in a linker's command line, and makes the command line
 * that relinks.
 *
 * Knows the options of GNU ld, gold, lld and mold.  One thread, may allocate.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"

struct wm_ldargs {
	struct wm_strv args; /* response files expanded, without argv[0] */
	/* files to read that are, or may be, pipes */
	struct wm_strv streams;
	struct wm_strv wraps; /* X of each --wrap=X */
	bool response; /* there were response files */
	const char *output; /* a.out without -o */
	const char *map; /* the user's link map, or NULL */
	bool map_wanted; /* some option about maps: do not add one */
	bool other; /* -r, -shared, --version ...: no executable */
	bool probe; /* configure's or CMake's test program */
	bool sanitizer;
	bool stripped; /* -s, --retain-symbols-file */
	bool retained; /* the latter: some symbols may remain */
	bool build_id; /* the user asks for one */
	size_t first; /* index for an object that must be first */
	bool inputs;
};

/* Scans @argv, which is without argv[0]. */
void wm_ldargs_scan(struct wm_ldargs *a, char *const *argv);
void wm_ldargs_release(struct wm_ldargs *a);

/*
 * Additions to a link.  @first are objects and options at the place of the
 * first object; @last are those at the very end.
 */
struct wm_additions {
	struct wm_strv first;
	struct wm_strv last;
	struct wm_strv keep; /* files and names of -l to be kept */
	bool exports; /* a version script must not hide the additions */
};

/*
 * Makes the command line that links the same program once more into @output,
 * without stripping, maps, dependency files and traces.  @resolution replaces
 * the file that gcc's LTO plugin writes.  @add may be NULL.
 */
void wm_ldargs_rewrite(const struct wm_ldargs *a, const char *output,
		       const char *resolution, const struct wm_additions *add,
		       struct wm_strv *cmd);

/* An argument of a link. */
struct wm_ldarg {
	size_t words; /* 1 or 2 */
	const char *file; /* a file that is linked, or NULL */
	const char *library; /* NAME of -lNAME, or NULL */
	const char *folder; /* DIR of -LDIR, or NULL */
};

/* Returns the argument that begins at word @i of a->args. */
struct wm_ldarg wm_ldargs_at(const struct wm_ldargs *a, size_t i);

/* Returns the word that replaces an argument (the caller frees it), or NULL. */
typedef char *wm_ldargs_word(const struct wm_ldargs *link,
			     const struct wm_ldarg *arg, void *context);

/*
 * Makes the same link with the files and libraries that @choose replaces.  Only
 * the args of @to belong to the caller; all else belongs to @from.
 */
void wm_ldargs_replace(struct wm_ldargs *to, const struct wm_ldargs *from,
		       wm_ldargs_word *choose, void *context);

/* Whether library @name (libNAME.so or .a) is in a folder of -L or of the
 * system. */
bool wm_ldargs_has_library(const struct wm_ldargs *a, const char *name);
