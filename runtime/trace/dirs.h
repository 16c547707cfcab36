/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories in which the runtime has files, and how these are opened.
 *
 * Others may write to where a run directory lies (/tmp, the directory of a
 * project), and can put something else in its place at any moment: a link, a
 * pipe that nobody reads, a device.  So a directory is opened without
 * following a link, is known again by its device and number, and all in it is
 * opened relative to it; no open ever waits (docs/decisions.md, "Other users").
 *
 * Results are 0, or a descriptor, or a negated errno.  Any thread.
 */
#ifndef WM_RUNTIME_DIRS_H
#define WM_RUNTIME_DIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* Reasons that the kernel has no errno for. */
#define WM_ERR_OTHERS 4001 /* the directory belongs to another user */
#define WM_ERR_WRITABLE 4002 /* everybody may write into it */

/* The text of these, and of an errno that can come from a file. */
const char *wm_errno_text(int err) wm_hidden;

/* An open directory.  Other threads may close all descriptors and take the
 * numbers: it is @id that tells whether @fd still is that. */
struct wm_at {
	int fd;
	uint64_t id[2];
};

/* @flags: 0, or O_NOFOLLOW.  On failure at->fd is negative, too. */
int wm_at_open(struct wm_at *at, int dir, const char *path,
	       int flags) wm_hidden;
/* The same, if it is directory @id; else -ESTALE. */
int wm_at_open_known(struct wm_at *at, int dir, const char *path,
		     const uint64_t id[2]) wm_hidden;
/* The same without a link; it is made where it is missing, with the mode of
 * directories of a run.  *@made: whether it was. */
int wm_at_enter(struct wm_at *at, int dir, const char *name,
		bool *made) wm_hidden;
void wm_at_close(struct wm_at *at) wm_hidden;

/* A file in @at, which must be there; -ESTALE for what is no file of ours: a
 * link, or what only a wait would open. */
int wm_at_file(const struct wm_at *at, const char *name, int flags) wm_hidden;
/* A new file, for reading and writing, with exactly the mode of WM_MODE. */
int wm_at_create(const struct wm_at *at, const char *name) wm_hidden;
/* Close what one of these two gave, and what has no name by which it could be
 * known: another file has it by now.  Nothing happens when the flags tell that
 * the number is a file of the program's by now. */
void wm_at_drop(int fd) wm_hidden;

/* mkdir -p; @path is changed meanwhile. */
int wm_dirs_make(char *path) wm_hidden;

#endif
