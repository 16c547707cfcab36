/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path of a relinked program: beside the program, or in WM_TWIN_DIR.  Only
 * files that we made are ever overwritten or removed, even if another file
 * appears at that path meanwhile.
 *
 * One thread, may allocate.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"

/* The suffix after the program's name. */
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

/* Returns the usual name of the relinked program of @plain; the caller frees
 * it. */
char *wm_twin_path_usual(const char *plain, const char *suffix);

/*
 * Fills @p, whose name is valid in any case.  Returns NULL, or the reason why
 * the name cannot be used.  @plain and @suffix must outlive @p.
 */
const char *wm_twin_path_choose(struct wm_twin_path *p, const char *plain,
				const char *suffix);
/* Returns how the build system moves the program away from that path, or
 * NULL. */
const char *wm_twin_path_moves(const struct wm_twin_path *p);
void wm_twin_path_release(struct wm_twin_path *p);

/* Returns advice for a reason that these functions returned. */
const char *wm_twin_path_advice(const char *why);

/* Records in the finished file @file the program to which it belongs.  Returns
 * 0, or -1. */
int wm_twin_path_sign(const struct wm_twin_path *p, const char *file);

/*
 * Renames the finished file @temp, which has a wm_temp_name() beside p->name,
 * to p->name.  This function may first change p->name.  Returns NULL, or the
 * reason why it failed.
 */
const char *wm_twin_path_give(struct wm_twin_path *p, const char *temp);

/* Removes the relinked program of an older program. */
void wm_twin_path_clear(const struct wm_twin_path *p);

/* Removes the relinked program of a kind that is not made this time. */
void wm_twin_path_clear_usual(const char *plain, const char *suffix);

/* Replaces $ORIGIN in the linker's words @cmd and in LD_RUN_PATH.  In a path of
 * libraries it means the plain program's folder, wherever the relinked program
 * is. */
void wm_twin_path_fix_origin(const struct wm_twin_path *p, struct wm_strv *cmd);
