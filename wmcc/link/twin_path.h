/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path of a relinked program: beside the program, or in WM_TWIN_DIR.  Only
 * files that we made are ever overwritten or removed, even if another appears
 * meanwhile.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_TWIN_PATH_H
#define WM_WMCC_TWIN_PATH_H

#include <stdbool.h>

#include "wmcc/base/strv.h"

/* The suffix behind the program's name. */
#define WM_TWIN_SUFFIX ".wm"
#define WM_ACCESS_SUFFIX ".wma"

struct wm_twin_path {
	const char *plain; /* the user's program */
	const char *suffix; /* WM_TWIN_SUFFIX or WM_ACCESS_SUFFIX */
	char *origin; /* absolute path of the program, links resolved */
	char *dir; /* WM_TWIN_DIR; NULL: beside the program */
	char *name; /* path of the relinked program */
	bool only; /* WM_LINK=only: it replaces the program */
};

/* The usual name of the relinked program of @plain; the caller frees it. */
char *wm_twin_path_usual(const char *plain, const char *suffix);

/*
 * Fills @p, whose name is valid in any case.  Returns NULL, or why the name
 * cannot be used.  @plain and @suffix must outlive @p.
 */
const char *wm_twin_path_choose(struct wm_twin_path *p, const char *plain,
				const char *suffix);
/* How the build system moves the program away from it, or NULL. */
const char *wm_twin_path_moves(const struct wm_twin_path *p);
void wm_twin_path_release(struct wm_twin_path *p);

/* Advice for a reason that these functions returned. */
const char *wm_twin_path_advice(const char *why);

/* Record in the finished file @file which program it belongs to; 0, or -1. */
int wm_twin_path_sign(const struct wm_twin_path *p, const char *file);

/*
 * Rename the finished file @temp, wm_temp_name() beside p->name, to p->name,
 * which may change before.  Returns NULL, or why it failed.
 */
const char *wm_twin_path_give(struct wm_twin_path *p, const char *temp);

/* Remove the relinked program of an older program. */
void wm_twin_path_clear(const struct wm_twin_path *p);

/* The same for a kind that is not made this time. */
void wm_twin_path_clear_usual(const char *plain, const char *suffix);

/* $ORIGIN in a path of libraries means the plain program's folder, wherever the
 * relinked one is: replace it in the linker's words @cmd and LD_RUN_PATH. */
void wm_twin_path_fix_origin(const struct wm_twin_path *p, struct wm_strv *cmd);

#endif
