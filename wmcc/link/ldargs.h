/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the command line of GNU ld, gold, lld or mold, and makes the command
 * line that relinks. */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"

struct wm_ldargs {
	struct wm_strv args; /* without argv[0], with response files expanded */
	/* files that are, or may be, pipes */
	struct wm_strv streams;
	struct wm_strv wraps; /* X of each --wrap=X */
	bool response; /* the user has used response files */
	const char *output; /* a.out without -o */
	const char *map; /* the user's link map, or NULL */
	bool map_wanted; /* an option is about maps: add no map */
	bool other; /* no executable: -r, -shared, --version ... */
	bool probe; /* configure's or CMake's test program */
	bool sanitizer;
	bool stripped; /* by -s or --retain-symbols-file */
	bool retained; /* by the latter: some symbols may remain */
	bool build_id; /* the user wants a build-id */
	size_t first; /* index where the first added object must be */
	bool inputs;
};

/* @argv has no argv[0]. */
void wm_ldargs_scan(struct wm_ldargs *a, char *const *argv);
void wm_ldargs_release(struct wm_ldargs *a);

/* Additions to a link, before the user's first object and at the end. */
struct wm_additions {
	struct wm_strv first;
	struct wm_strv last;
	struct wm_strv keep; /* files, and names of -l, to be kept */
	bool exports; /* no version script may hide the additions */
};

/* Links the same program into @output, without stripping, maps, dependency
 * files and traces.  @resolution replaces the file of gcc's LTO plugin.  @add
 * may be NULL. */
void wm_ldargs_rewrite(const struct wm_ldargs *a, const char *output,
		       const char *resolution, const struct wm_additions *add,
		       struct wm_strv *cmd);

struct wm_ldarg {
	size_t words; /* 1 or 2 */
	const char *file; /* linked file, or NULL */
	const char *library; /* NAME of -lNAME, or NULL */
	const char *folder; /* DIR of -LDIR, or NULL */
};

struct wm_ldarg wm_ldargs_at(const struct wm_ldargs *a, size_t i);

/* Returns the word that replaces an argument, which the caller frees, or
 * NULL. */
typedef char *wm_ldargs_word(const struct wm_ldargs *link,
			     const struct wm_ldarg *arg, void *context);

/* The caller frees only to->args; everything else belongs to @from. */
void wm_ldargs_replace(struct wm_ldargs *to, const struct wm_ldargs *from,
		       wm_ldargs_word *choose, void *context);

/* Returns whether libNAME.so or .a is in a folder of -L or of the system. */
bool wm_ldargs_has_library(const struct wm_ldargs *a, const char *name);
