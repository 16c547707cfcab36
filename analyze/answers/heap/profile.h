/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holders of memory by name instead of by address, so that runs, ranks and
 * builds can be compared.
 *
 * Call paths with the same functions are one row, whatever the lines in them.
 * A profile owns all its strings and may outlive its analysis.
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
	/* for people who look at one run: with names that have lines
	 * (wm_symbol.region) */
	WM_PROFILE_SHOWN,
	WM_PROFILE_BY_NAME,
	/* for runs of one build: with the lines of the calls,
	 * "main:119;grab:29", so that several allocations of a function stay
	 * apart.  Where lines are unknown, addresses in the module take their
	 * place, "main:+1a2b" */
	WM_PROFILE_BY_LINE,
	/* by name; the memory of forwarders, which must have been found, counts
	 * for their callers (forwarders.h) */
	WM_PROFILE_BY_CALLER,
};

struct wm_profile_row {
	/* Functions from the outermost to the allocation site, "main;solve"; ""
	 * if the origin is unknown.  A semicolon within a name is written as a
	 * colon.  If functions of several files share a name, the file follows
	 * it: "init rank.c". */
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

/* Makes a profile from @use, which has one entry for each path of @a
 * (wm_analysis.use, wm_retained.use).  If @rows is not NULL, the profile is
 * made from @rows instead, and each path begins with a thread, "thread 3
 * (worker);worker;grab".  Rows that held nothing at the peak and at the end are
 * left out. */
enum wm_status wm_profile_make(struct wm_profile *p,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_thread_rows *rows,
			       enum wm_profile_form form, struct wm_err *err);
/* Returns the text of .path, malloc'ed, or NULL if memory is short. */
char *wm_profile_path(const struct wm_analysis *a,
		      const struct wm_path_frames *s);
/*
 * Returns the short form of a path for people: the site and its callers without
 * addresses, "grab:29 < main:119", cut at WM_SITE_TEXT bytes.
 */
#define WM_SITE_TEXT 512
const char *wm_profile_site(const char *path, char out[WM_SITE_TEXT]);
void wm_profile_release(struct wm_profile *p);

/* Returns the row of @path, or NULL if there is none. */
const struct wm_profile_row *wm_profile_find(const struct wm_profile *p,
					     const char *path);
