/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of wm-analyze.
 *
 * Parsed once at start; strings point into argv.
 */
#pragma once

#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/opts.h"

/* Parses the command line.  Returns WM_USAGE with a message if it is wrong. */
enum wm_status wm_opts_parse(struct wm_opts *o, int argc, char **argv,
			     struct wm_err *err);
/* The last step of wm_opts_parse(): checks whether options are consistent, and
 * fills o->request. */
enum wm_status wm_opts_check(struct wm_opts *o, struct wm_err *err);
/* Writes the text of --help of @program. */
void wm_opts_help(const struct wm_opts *o, const char *program, FILE *out);
