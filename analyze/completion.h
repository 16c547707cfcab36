/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a shell has to know to complete a command line of wm-analyze, as a
 * script for it, made of the table of options and reports (opts.h).
 */
#ifndef WM_ANALYZE_COMPLETION_H
#define WM_ANALYZE_COMPLETION_H

#include <stdio.h>

#include "analyze/base/error.h"
#include "analyze/report/opts.h"

/* @shell: bash, zsh or fish, or WM_USAGE. */
enum wm_status wm_completion_put(const struct wm_opts *o, const char *shell,
				 FILE *out, struct wm_err *err);

#endif
