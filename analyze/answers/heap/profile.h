/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holders of memory by name instead of by address, so that runs, ranks and
 * builds can be compared.
 *
 * A row has all call paths through the same functions, whatever their lines.  A
 * profile owns all its strings and may outlive its analysis.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/passes/rank.h"

struct wm_analysis;
struct wm_path_frames;
struct wm_thread_rows;

enum wm_profile_form {
	/* for people: names may contain lines (wm_symbol.region) */
	WM_PROFILE_SHOWN,
	WM_PROFILE_BY_NAME,
	/* for runs of one build: with the lines of calls, "main:119;grab:29",
	 * or, if a line is unknown, the address in the module, "main:+1a2b"; so
	 * several allocations of one function stay apart */
	WM_PROFILE_BY_LINE,
	/* by name, with the memory of forwarders charged to their callers;
	 * forwarders must have been found (forwarders.h) */
	WM_PROFILE_BY_CALLER,
};

struct wm_profile_row {
	/* Functions from the outermost to the allocation site, "main;solve"; ""
	 * if the origin is unknown.  A semicolon in a name becomes a colon.  A
	 * name that functions of several files share is followed by the file:
	 * "init rank.c". */
	char *path;
	char *site; /* the last function of the path */
	char *file; /* of the allocating call; NULL: unknown */
	uint32_t line; /* line on the path that holds most bytes; 0: unknown */
	struct wm_use use;
};

struct wm_profile {
	struct wm_profile_row *row; /* in order of path (strcmp) */
	size_t count, cap;
};

/* Makes a profile from @use, which has one entry for each path of @a.  If @rows
 * is not NULL, makes the profile from @rows, and each path begins with a
 * thread, "thread 3 (worker);worker;grab".  Rows with no memory at the peak and
 * at the end are left out. */
enum wm_status wm_profile_make(struct wm_profile *p,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_thread_rows *rows,
			       enum wm_profile_form form, struct wm_err *err);
/* Returns the text of .path for the caller to free, or NULL (no memory). */
char *wm_profile_path(const struct wm_analysis *a,
		      const struct wm_path_frames *s);
/* Returns the site and its caller without addresses, "grab:29 < main:119", cut
 * at WM_SITE_TEXT bytes. */
#define WM_SITE_TEXT 512
const char *wm_profile_site(const char *path, char out[WM_SITE_TEXT]);
void wm_profile_release(struct wm_profile *p);

const struct wm_profile_row *wm_profile_find(const struct wm_profile *p,
					     const char *path);
