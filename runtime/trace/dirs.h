/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories in which the runtime has files, and how these files are opened.
 *
 * Other users may write to the parent of a run directory, and can replace the
 * run directory at any moment: by a link, a pipe without a reader, a device.
 * So a directory is opened without following a link, its device and inode
 * number are compared each time, and its files are opened relative to it; no
 * open ever waits (docs/decisions.md, "Other users").
 *
 * Functions return 0 or a descriptor, or a negated errno.  Any thread may call
 * them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Reasons for which the kernel has no errno. */
#define WM_ERR_OTHERS 4001
#define WM_ERR_WRITABLE 4002

/* Returns the text of such a reason, or of an errno that files can cause. */
const char *wm_errno_text(int err) wm_hidden;

/* An open directory.  Other threads may close all descriptors and reuse the
 * numbers; @id shows whether @fd still is this directory. */
struct wm_at {
	int fd;
	uint64_t id[2];
};

/* Opens @path; @flags: 0 or O_NOFOLLOW.  On failure at->fd is negative, too. */
int wm_at_open(struct wm_at *at, int dir, const char *path,
	       int flags) wm_hidden;
/* Opens @path if it is directory @id; else returns -ESTALE. */
int wm_at_open_known(struct wm_at *at, int dir, const char *path,
		     const uint64_t id[2]) wm_hidden;
/* Opens directory @name in @dir without following a link.  If it is missing,
 * makes it, with the mode of directories of a run, and sets *@made. */
int wm_at_enter(struct wm_at *at, int dir, const char *name,
		bool *made) wm_hidden;
void wm_at_close(struct wm_at *at) wm_hidden;
/* Removes the file @name if it is file @id. */
void wm_at_unlink(const struct wm_at *at, const char *name,
		  const uint64_t id[2]) wm_hidden;

/* Opens an existing file in @at.  Returns -ESTALE if the file cannot be ours,
 * because it is a link or because opening it would wait. */
int wm_at_file(const struct wm_at *at, const char *name, int flags) wm_hidden;
/* Opens file @id.  Returns -ESTALE if another file has its name or, meanwhile,
 * the descriptor. */
int wm_at_file_known(const struct wm_at *at, const char *name, int flags,
		     const uint64_t id[2]) wm_hidden;
/* Makes a file for reading and writing, with exactly the mode of WM_MODE. */
int wm_at_create(const struct wm_at *at, const char *name) wm_hidden;
/* Closes a descriptor that cannot be compared, because another file has taken
 * its name.  Does nothing if the number is a file of the program by now. */
void wm_at_drop(int fd) wm_hidden;
/* Returns 0 if @fd is file @id, -ESTALE if it is another file. */
long wm_fd_check(int fd, const uint64_t id[2]) wm_hidden;

/* Does what mkdir -p does; @path is changed meanwhile. */
int wm_dirs_make(char *path) wm_hidden;
