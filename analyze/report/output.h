/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report goes: stdout, or a file that the user named.
 *
 * A file that is there already is replaced only if wm-analyze may have
 * written it: it has our mark (WM_OUTPUT_MARK) near its beginning, or begins
 * like the new one.  Directories and traces never
 * are.  A file that is not written whole is removed, with an error.
 */
#ifndef WM_ANALYZE_OUTPUT_H
#define WM_ANALYZE_OUTPUT_H

#include <stdio.h>

#include "analyze/error.h"

/* In what can hold remarks: pages and pictures. */
#define WM_OUTPUT_MARK "written by wmtools"

/* WM_USAGE for what no option replaces: look before anything is read. */
enum wm_status wm_output_check(const char *path, struct wm_err *err);
/* NULL and "-" are stdout.  @force: replace whatever file it is. */
enum wm_status wm_output_open(const char *path, int force, FILE **out,
			      struct wm_err *err);
/*
 * @status is how the writing went.  Closes @out, unless it is stdout; errors
 * of writing come back.
 */
enum wm_status wm_output_close(const char *path, FILE *out,
			       enum wm_status status, struct wm_err *err);

#endif
