/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report goes: stdout, or a file that the user named.
 *
 * A file that is there already is replaced only if wm-analyze may have
 * written it: it has our mark (WM_OUTPUT_MARK) near its beginning, or begins
 * like the new one.  Directories and traces never are.
 *
 * The new file is written beside the old one and takes its name when it is
 * whole; a link to the old one stays.  Where no other file can be made beside
 * it, and below /dev and /proc (descriptors of the shell), it is written
 * itself.  A file that is not written whole is removed, with an error,
 * or when SIGHUP, SIGINT or SIGTERM ends the process.
 */
#ifndef WM_ANALYZE_OUTPUT_H
#define WM_ANALYZE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"

/* In what can hold remarks: pages and pictures. */
#define WM_OUTPUT_MARK "written by wmtools"

/* Whether it is "-"; NULL is not. */
bool wm_output_is_dash(const char *path);

struct wm_output {
	FILE *f; /* write to this */
	const char *path; /* as given */
	char *to, *beside; /* takes the place of @to; NULL: there is none */
	enum {
		WM_OUTPUT_STDOUT,
		WM_OUTPUT_ITSELF,
		WM_OUTPUT_BESIDE,
		WM_OUTPUT_ASIDE
	} where; /* aside: in a file without a name */
	bool fresh; /* there was no such file */
	bool judge; /* it is replaced only if it begins like the new one */
};

/* WM_USAGE for what no option replaces: look before anything is read. */
enum wm_status wm_output_check(const char *path, struct wm_err *err);
/* NULL and "-" are stdout.  @force: replace whatever file it is. */
enum wm_status wm_output_open(struct wm_output *o, const char *path, bool force,
			      struct wm_err *err);
/*
 * @status is how the writing went.  Closes what was opened; errors of writing
 * come back.
 */
enum wm_status wm_output_close(struct wm_output *o, enum wm_status status,
			       struct wm_err *err);

/* A picture: what @draw makes of @what. */
enum wm_status wm_output_draw(const char *path, bool force,
			      void (*draw)(const void *what, FILE *out),
			      const void *what, struct wm_err *err);

/* One line on stdout. */
enum wm_status wm_put_line(const char *text, struct wm_err *err);

#endif
