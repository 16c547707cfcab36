/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths: our own folders, relative to the running program, and programs in
 * search paths.
 *
 * One thread, may allocate.  Strings from wm_home() live as long as the
 * process; others belong to the caller.
 */
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
	char *exe; /* the running program, symbolic links resolved */
	char *prefix;
	char *lib; /* PREFIX/lib/wmtools: runtime objects */
	char *libexec; /* PREFIX/libexec/wmtools: linker shims */
};

const struct wm_home *wm_home(void);

/* Whether these are names of one file. */
bool wm_same_file(const char *a, const char *b);

/* Whether @path is a file, and not a folder, pipe or device. */
bool wm_is_regular(const char *path);

/*
 * Finds executable @name in the colon-separated @path, but not this program
 * itself and not in the folder of shims.  Returns NULL if there is none.
 */
char *wm_find_program(const char *path, const char *name);

/* Makes the missing folders of @path, up to its last slash.  Returns 0, or -1
 * with errno. */
int wm_folders_make(const char *path, mode_t mode);

/* Return COMPILER_PATH with the folder of shims in front, and without that
 * folder. */
char *wm_compiler_path_with(void);
char *wm_compiler_path_without(void);

/* Whether the variable is 1, or any other word that means on. */
bool wm_env_on(const char *name);
