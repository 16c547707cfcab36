/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of the folders of wmtools, relative to the running program, and of
 * programs in search paths.  The caller frees all strings but those of
 * wm_home(). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * Internal: how wmcc talks to its linker shim.  Not for users.
 *   WMCC_ACTIVE   set below wmcc: a second wmcc there would never end
 *   WMCC_REAL_LD  NAME=PATH of the linker that the compiler would have run
 *   WMCC_FD       descriptor on which the shim reports that it was run
 *   WMCC_COMPILE  descriptor with the compiler's command, for access hooks
 *   WMCC_QUIET    set: the program may be a probe that needs an empty stderr
 */
#define WM_ENV_ACTIVE "WMCC_ACTIVE"
#define WM_ENV_REAL_LD "WMCC_REAL_LD"
#define WM_ENV_FD "WMCC_FD"
#define WM_ENV_COMPILE "WMCC_COMPILE"
#define WM_ENV_QUIET "WMCC_QUIET"

struct wm_home {
	char *exe; /* the running program, links resolved */
	char *prefix;
	char *lib; /* PREFIX/lib/wmtools: runtime objects */
	char *libexec; /* PREFIX/libexec/wmtools: linker shims */
};

const struct wm_home *wm_home(void);

bool wm_same_file(const char *a, const char *b);

/* Returns whether @path is a file, and not a folder, pipe or device. */
bool wm_is_regular(const char *path);

/* Finds the executable @name in the colon-separated @path, but neither this
 * program nor a shim.  Returns NULL if there is none. */
char *wm_find_program(const char *path, const char *name);

/* Makes missing folders up to the last slash.  Returns 0, or -1 with errno. */
int wm_folders_make(const char *path, mode_t mode);

/* Return COMPILER_PATH with, and without, the folder of shims in front. */
char *wm_compiler_path_with(void);
char *wm_compiler_path_without(void);

/* Returns whether the variable is 1, or another word that means on. */
bool wm_env_on(const char *name);
