/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parts of a compiler's command line that matter to wmcc.  Strings
 * belong to the scanned list, which must outlive the result. */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"

enum wm_action {
	WM_ACTION_OTHER, /* compiles, preprocesses, or prints something */
	WM_ACTION_ASK_LINKER, /* -print-prog-name=ld */
	WM_ACTION_LINK, /* makes an executable */
};

struct wm_args {
	enum wm_action action;
	bool probe; /* configure's or CMake's test program */
	/* possibly a test program: its source is standard input, /dev/null, or
	 * a temporary file.  Relinking fails without a message */
	bool quiet;
	bool sources; /* compiles and links */
	bool compiles; /* -c: an object for each source */
	bool show; /* -show or -showme */
	const char *output; /* a.out without -o */
	const char *fuse_ld; /* value of the last -fuse-ld=, or NULL */
	const char *ld_path; /* value of the last --ld-path=, or NULL */
	struct wm_strv select; /* the options that choose the linker */
};

/* @argv has response files expanded.  @fixed are the words of WM_CC after the
 * first word; only options count there. */
void wm_args_scan(struct wm_args *a, char *const *fixed, char *const *argv);

/* Returns whether option @arg takes the next argument. */
bool wm_arg_takes_value(const char *arg);

/* Returns whether @path belongs to a probe of configure or CMake. */
bool wm_is_probe(const char *path);
