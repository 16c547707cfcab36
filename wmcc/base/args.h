/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wishes of a compiler's command line, as far as wmcc needs to know.
 *
 * One thread, may allocate.  The strings belong to the scanned list, which
 * must outlive the result.
 */
#ifndef WM_WMCC_ARGS_H
#define WM_WMCC_ARGS_H

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
	/* may be one: from standard input or /dev/null, or in the folder for
	 * temporary files; a twin, but no line when there is none */
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
 * Scan @argv (response files expanded, without the compiler's own name).
 * @fixed: the words of WM_CC after the first, of which only options count.
 */
void wm_args_scan(struct wm_args *a, char *const *fixed, char *const *argv);

/* Does the argument behind option @arg belong to it? */
bool wm_arg_takes_value(const char *arg);

/* Is this the name of a file of a configure probe? */
bool wm_is_probe(const char *path);

#endif
