/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a twin goes, and how it gets there: beside the program, or into
 * WM_TWIN_DIR.  No file that is not a twin of ours is ever written over or
 * removed, not even one that comes while we look.
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
	const char *suffix; /* of its twin */
	char *origin; /* its absolute path, links resolved */
	char *dir; /* WM_TWIN_DIR; NULL: beside the program */
	char *name; /* where the twin goes */
	bool only; /* WM_LINK=only: the twin is the program */
};

/* The name that the twin of @plain has as a rule; the caller frees it. */
char *wm_twin_path_usual(const char *plain, const char *suffix);

/*
 * Fills @p, whose name is good in any case.  Returns NULL, or why there can be
 * no twin.  @plain and @suffix must outlive @p.
 */
const char *wm_twin_path_choose(struct wm_twin_path *p, const char *plain,
				const char *suffix);
/* How the builder takes the program away from its twin, or NULL. */
const char *wm_twin_path_moves(const struct wm_twin_path *p);
void wm_twin_path_release(struct wm_twin_path *p);

/* Advice about a reason that these functions gave. */
const char *wm_twin_path_advice(const char *why);

/* Say in the finished twin @file whose twin it is; 0, or -1. */
int wm_twin_path_sign(const struct wm_twin_path *p, const char *file);

/*
 * Give the finished twin, wm_temp_name() @temp beside p->name, its name, which
 * may be another one than p->name was.  Returns NULL, or why it was not done.
 */
const char *wm_twin_path_give(struct wm_twin_path *p, const char *temp);

/* Remove the twin of an older program. */
void wm_twin_path_clear(const struct wm_twin_path *p);

/* The same for a kind of twin that is not made this time. */
void wm_twin_path_clear_usual(const char *plain, const char *suffix);

/* $ORIGIN in a path of libraries means the plain program's folder, wherever
 * the twin lies: replace it in the linker's words @cmd and LD_RUN_PATH. */
void wm_twin_path_fix_origin(const struct wm_twin_path *p, struct wm_strv *cmd);

#endif
