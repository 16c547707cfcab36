/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of wm-analyze.
 *
 * Parsed once at start; strings point into argv.
 */
#ifndef WM_ANALYZE_OPTS_H
#define WM_ANALYZE_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyze/base/error.h"
#include "analyze/report/opts.h"

/* WM_USAGE with a message when the line makes no sense. */
enum wm_status wm_opts_parse(struct wm_opts *o, int argc, char **argv,
			     struct wm_err *err);
/* The last step of that: whether they go together, and what they ask for. */
enum wm_status wm_opts_check(struct wm_opts *o, struct wm_err *err);
/* The text of --help of @program. */
void wm_opts_help(const struct wm_opts *o, const char *program, FILE *out);

/* An option or a report, as completions see it. */
struct wm_opts_word {
	char name[24]; /* "--rank" */
	const char *value; /* "N|max|min|all", "[FILE]"; NULL: it takes none */
	const struct wm_report *choices; /* of its value; NULL: any will do */
	const char *help; /* in lines */
};

/* Option number @i; @w is zero.  False: there are no more. */
bool wm_opts_word(size_t i, struct wm_opts_word *w);

#endif
