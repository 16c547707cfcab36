/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of a report: stdout, or a file that the user named.
 *
 * An existing file is replaced only if wm-analyze may have written it: the file
 * has WM_OUTPUT_MARK near its beginning, or begins like the new one.
 * Directories and traces are never replaced.
 *
 * The new file is written beside the old file and takes its name when complete;
 * a link to the old file stays a link.  The old file itself is written if no
 * file can be made beside it, or if its path is below /dev or /proc
 * (descriptors of the shell).  An incomplete file is removed after an error, or
 * when SIGHUP, SIGINT or SIGTERM ends the process.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"

/* A remark in pages and pictures. */
#define WM_OUTPUT_MARK "written by wmtools"

/* Returns whether @path is "-"; false for NULL. */
bool wm_output_is_dash(const char *path);

struct wm_output {
	FILE *f;
	const char *path; /* as given */
	char *to, *beside; /* .beside replaces .to; NULL: none */
	enum {
		WM_OUTPUT_STDOUT,
		WM_OUTPUT_ITSELF,
		WM_OUTPUT_BESIDE,
		WM_OUTPUT_ASIDE
	} where; /* ASIDE: in a file without a name */
	bool fresh; /* the file did not exist */
	bool judge; /* replaced only if it begins like the new file */
};

/* Returns WM_USAGE for a file that no option replaces, before a run is read. */
enum wm_status wm_output_check(const char *path, struct wm_err *err);
/* Opens @path; NULL and "-" are stdout.  @force replaces any file. */
enum wm_status wm_output_open(struct wm_output *o, const char *path, bool force,
			      struct wm_err *err);
/* Removes an incomplete file.  @status is the result of writing.  Returns
 * @status, or an error of the stream. */
enum wm_status wm_output_close(struct wm_output *o, enum wm_status status,
			       struct wm_err *err);

/* Writes the picture that @draw makes from @what. */
enum wm_status wm_output_draw(const char *path, bool force,
			      void (*draw)(const void *what, FILE *out),
			      const void *what, struct wm_err *err);

enum wm_status wm_put_line(const char *text, struct wm_err *err);
