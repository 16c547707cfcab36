/* SPDX-License-Identifier: Apache-2.0 */
/* Finds whether a preloaded library can trace the program that wm-run
 * starts. */
#pragma once

enum wm_target_kind {
	WM_TARGET_GOOD,
	WM_TARGET_PASSED, /* a shell or a launcher: its children are traced */
	WM_TARGET_HELPER, /* traced only if the user names it */
	WM_TARGET_RELINKED, /* traces itself */
	WM_TARGET_BAD, /* nothing can be traced */
};

/* Returns the file that execvp() would run, malloc'ed, or NULL with errno. */
char *wm_target_find(const char *name);

/* Returns the kind of @path, which the user calls @name; the kind of a script
 * is that of its interpreter.  For WM_TARGET_BAD, *@why is the reason, which
 * the caller frees. */
enum wm_target_kind wm_target_judge(const char *path, const char *name,
				    char **why);
