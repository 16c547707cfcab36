/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of wm-analyze.
 *
 * Parsed once at start; strings point into argv.
 */
#ifndef WM_ANALYZE_OPTS_H
#define WM_ANALYZE_OPTS_H

#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/opts.h"

/* WM_USAGE with a message if the command line is wrong. */
enum wm_status wm_opts_parse(struct wm_opts *o, int argc, char **argv,
			     struct wm_err *err);
/* The last step of wm_opts_parse(): whether options are consistent, and o->request. */
enum wm_status wm_opts_check(struct wm_opts *o, struct wm_err *err);
/* The text of --help of @program. */
void wm_opts_help(const struct wm_opts *o, const char *program, FILE *out);

#endif
