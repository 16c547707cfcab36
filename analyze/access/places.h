/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files of modules, and their debug information, outside the trace's
 * paths: in files and directories that the user names, and in the usual places.
 * The list is set once before threads start, and is global because files are
 * opened far below the code that has the request.  Only regular files are
 * opened (input/regular.h).  A file is used only if its build-id fits or,
 * without a build-id, its CRC, or if the user insists. */
#pragma once

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/paths.h"

#define WM_PLACES 32
#define WM_PLACES_USUAL "/usr/lib/debug"

/* Options of the command line; texts are borrowed. */
struct wm_places {
	const char *exe[WM_PLACES]; /* "FILE" or "NAME=FILE" */
	size_t exes;
	const char *dir[WM_PLACES];
	size_t dirs;
	bool any_build; /* files of .exe may be of another build */
	bool debuginfod;
	bool quiet;
};

/* Sets the list, also from WM_DEBUG_PATH and WM_DEBUGINFOD.  Returns WM_USAGE
 * if a named file is not of a program, or a named directory cannot be read. */
enum wm_status wm_places_set(const struct wm_places *p, struct wm_err *err);

struct wm_place {
	int fd; /* -1: no file */
	char *path; /* owned by the caller */
	bool other; /* there is a file of the name, but of another build */
	bool insisted; /* may be of another build, as the user insists */
	bool elsewhere; /* not at the trace's path */
};

void wm_places_find(struct wm_place *place, const struct wm_module *m);
/* Returns the malloc'ed path of a whole file of the build of @m other than the
 * trace's path, or NULL.  Asks no server. */
char *wm_places_path(const struct wm_module *m);

/* A file's entries about its debug information. */
struct wm_debug_link {
	const char *main; /* path of the file itself */
	const char *name; /* .gnu_debuglink, or NULL */
	uint32_t crc;
};

/* Returns a descriptor of the debug information of @m, whose file has @link,
 * and stores its path in *@path; or returns -1.  *@why, malloc'ed, names the
 * first file that did not fit.  The caller frees both texts. */
int wm_places_debug(const struct wm_module *m, const struct wm_debug_link *link,
		    char **path, char **why);
/* Likewise for the part of several files (dwz) that @debug calls @name. */
int wm_places_common(const char *debug, const char *name, const void *id,
		     size_t size, char **path);
/* Returns whether @elf has symbols or DWARF. */
bool wm_places_tells(Elf *elf);

/* Stores file @i that the user names; returns false if there are fewer. */
struct wm_place_named {
	const char *file, *name; /* NULL: any name */
	const uint8_t *id;
	size_t size;
};
bool wm_places_named(size_t i, struct wm_place_named *named);
/* Returns whether @named has the build and, if any, the name of @m. */
bool wm_places_fits(const struct wm_place_named *named,
		    const struct wm_module *m);
/* Returns whether @named has the name of @m, whatever its build. */
bool wm_places_means(const struct wm_place_named *named,
		     const struct wm_module *m);
bool wm_places_any_build(void);

/* Writes a build-id in digits to @text, which has WM_BUILD_TEXT bytes. */
#define WM_BUILD_TEXT 136
const char *wm_build_text(char *text, const uint8_t *id, size_t size);

/* Returns advice about missing names, for the end of messages. */
const char *wm_places_ways(void);
