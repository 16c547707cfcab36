/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that wm-run must start: can a preloaded library trace its memory?
 *
 * One thread, may allocate; results are the caller's.
 */
#ifndef WM_WMCC_TARGET_H
#define WM_WMCC_TARGET_H

enum wm_target_kind {
	WM_TARGET_GOOD,
	WM_TARGET_PASSED, /* a shell or a launcher: its children are traced */
	WM_TARGET_HELPER, /* traced only because it was named */
	WM_TARGET_RELINKED, /* traces itself */
	WM_TARGET_BAD, /* nothing can be traced */
};

/* The file that execvp() would run as @name; NULL with errno. */
char *wm_target_find(const char *name);

/*
 * The kind of @path, which the user calls @name; of its interpreter if it is a
 * script.  WM_TARGET_BAD: *@why is the reason, to be freed.
 */
enum wm_target_kind wm_target_judge(const char *path, const char *name,
				    char **why);

#endif
