/* SPDX-License-Identifier: Apache-2.0 */
/* The path of a relinked program: beside the program, or in WM_TWIN_DIR.  Only
 * relinked programs are overwritten or removed, even if another file appears at
 * that path meanwhile. */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"

/* Suffixes of the program's name. */
#define WM_TWIN_SUFFIX ".wm"
#define WM_ACCESS_SUFFIX ".wma"

struct wm_twin_path {
	const char *plain; /* the user's program */
	const char *suffix; /* WM_TWIN_SUFFIX or WM_ACCESS_SUFFIX */
	char *origin; /* absolute path of @plain, links resolved */
	char *dir; /* WM_TWIN_DIR; NULL: beside the program */
	char *name; /* path of the relinked program */
	bool only; /* WM_LINK=only: the program is replaced */
};

/* Returns the usual path of the relinked program, which the caller frees. */
char *wm_twin_path_usual(const char *plain, const char *suffix);

/* p->name is valid in any case.  Returns NULL, or the reason why it cannot be
 * used.  @plain and @suffix must outlive @p. */
const char *wm_twin_path_choose(struct wm_twin_path *p, const char *plain,
				const char *suffix);
/* Returns how the build system will move the program away, or NULL. */
const char *wm_twin_path_moves(const struct wm_twin_path *p);
void wm_twin_path_release(struct wm_twin_path *p);

/* Returns advice for a reason that these functions returned. */
const char *wm_twin_path_advice(const char *why);

/* Records the plain program in the relinked program @file.  Returns 0, or
 * -1. */
int wm_twin_path_sign(const struct wm_twin_path *p, const char *file);

/* Renames @temp, which is beside p->name, to p->name, which may change first.
 * Returns NULL, or the reason for a failure. */
const char *wm_twin_path_give(struct wm_twin_path *p, const char *temp);

void wm_twin_path_clear(const struct wm_twin_path *p);

/* Removes a kind of relinked program that is not made this time. */
void wm_twin_path_clear_usual(const char *plain, const char *suffix);

/* Replaces $ORIGIN in @cmd and LD_RUN_PATH by the plain program's folder, as
 * the relinked program may be elsewhere. */
void wm_twin_path_fix_origin(const struct wm_twin_path *p, struct wm_strv *cmd);
