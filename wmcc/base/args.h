/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a compiler's command line that wmcc needs to know.
 *
 * One thread, may allocate.  The strings belong to the scanned list, which
 * must outlive the result.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"

enum wm_action {
	WM_ACTION_OTHER, /* compiles, preprocesses, answers a question */
	WM_ACTION_ASK_LINKER, /* -print-prog-name=ld */
	WM_ACTION_LINK, /* makes an executable */
};

struct wm_args {
	enum wm_action action;
	bool probe; /* configure's or CMake's test program */
	/* possibly such a program: its source is standard input or /dev/null,
	 * or a file in the folder for temporary files.  It is relinked, but
	 * without a message when that fails */
	bool quiet;
	bool sources; /* compiles as well as links */
	bool compiles; /* -c: an object for each source */
	bool show; /* -show or -showme */
	const char *output; /* a.out without -o */
	const char *fuse_ld; /* value of the last -fuse-ld=, or NULL */
	const char *ld_path; /* value of the last --ld-path=, or NULL */
	struct wm_strv select; /* the options that choose the linker */
};

/*
 * Scans @argv (with response files expanded, without the name of the compiler).
 * @fixed are the words of WM_CC after the first word; only options count there.
 */
void wm_args_scan(struct wm_args *a, char *const *fixed, char *const *argv);

/* Whether the argument after option @arg belongs to the option. */
bool wm_arg_takes_value(const char *arg);

/* Whether this is the name of a file of a configure probe. */
bool wm_is_probe(const char *path);
