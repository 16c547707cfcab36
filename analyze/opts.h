/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of wm-analyze.
 *
 * Parsed once at start; strings point into argv.
 */
#pragma once

#include <stdio.h>

#include "analyze/access/places.h"
#include "analyze/answers/opts.h"
#include "analyze/lib/base/error.h"

enum wm_color { WM_COLOR_AUTO, WM_COLOR_ALWAYS, WM_COLOR_NEVER };

struct wm_command {
	struct wm_opts ask; /* of the report */
	bool help, version;
	bool help_all; /* --help all */
	const struct wm_report *topic; /* --help REPORT; NULL: none */
	bool markdown, open;
	enum wm_color color;
	struct wm_places places; /* of files with names */
};

/* Parses the command line.  Returns WM_USAGE with a message if it is wrong. */
enum wm_status wm_opts_parse(struct wm_command *c, int argc, char **argv,
			     struct wm_err *err);
/* The last step of wm_opts_parse(): checks whether options are consistent, and
 * fills c->ask.request. */
enum wm_status wm_opts_check(struct wm_command *c, struct wm_err *err);
/* help.c: writes the text of --help, --help REPORT or --help all of
 * @program. */
void wm_opts_help(const struct wm_command *c, const char *program, FILE *out);
