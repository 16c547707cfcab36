/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report or a picture goes: stdout, or a file.
 *
 * The stream belongs to the caller, who closes it here.
 */
#ifndef WM_ANALYZE_OUTPUT_H
#define WM_ANALYZE_OUTPUT_H

#include <stdio.h>

#include "analyze/error.h"

/* Makes the file @path anew; NULL or "-" is stdout. */
enum wm_status wm_output_open(const char *path, FILE **out,
			      struct wm_err *err);
/* WM_IO unless all has been written; @status when that is not WM_OK, and a
 * file with half a report is removed. */
enum wm_status wm_output_close(const char *path, FILE *out,
			       enum wm_status status, struct wm_err *err);

#endif
