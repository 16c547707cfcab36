/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths: our own folders, relative to the running program, and programs in
 * search paths.
 *
 * One thread, may allocate.  Strings from wm_home() live as long as the
 * process; others belong to the caller.
 */
#ifndef WM_WMCC_HOME_H
#define WM_WMCC_HOME_H

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

/* Are these names of one file? */
bool wm_same_file(const char *a, const char *b);

/* Is it a file, not a folder, pipe or device? */
bool wm_is_regular(const char *path);

/*
 * Find executable @name in the colon-separated @path, except this program
 * itself and the folder of shims.  NULL: not there.
 */
char *wm_find_program(const char *path, const char *name);

/* Make the missing folders of @path, up to its last slash; 0, or -1 with
 * errno. */
int wm_folders_make(const char *path, mode_t mode);

/* COMPILER_PATH with the folder of shims in front, or without it. */
char *wm_compiler_path_with(void);
char *wm_compiler_path_without(void);

/* Is the variable 1, or anything else that means on? */
bool wm_env_on(const char *name);

#endif
