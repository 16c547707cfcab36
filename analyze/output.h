/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a report goes: stdout, or the file of --output.
 *
 * The stream belongs to the caller, who closes it here.
 */
#ifndef WM_ANALYZE_OUTPUT_H
#define WM_ANALYZE_OUTPUT_H

#include <stdio.h>

#include "analyze/error.h"
#include "analyze/opts.h"

/* Makes the file anew. */
enum wm_status wm_output_open(const struct wm_opts *o, FILE **out,
			      struct wm_err *err);
/* WM_IO unless all has been written; @status when that is not WM_OK, and a
 * file with half a report is removed. */
enum wm_status wm_output_close(const struct wm_opts *o, FILE *out,
			       enum wm_status status, struct wm_err *err);

#endif
