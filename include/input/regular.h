/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that other files name (a trace its executable and libraries, these
 * their debug information), for wm-analyze and wmcc: only regular files are
 * opened.  Opening a pipe would wait for a writer, and opening a device may
 * start something.
 */
#ifndef WM_REGULAR_H
#define WM_REGULAR_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor for reading, or -1 with errno; EINVAL: not a regular file. */
static inline int wm_regular_open(const char *path)
{
	struct stat st;
	int fd = -1;

	/* Checked first, because opening a device may be an order to it; and
	 * once more, because it may be another file by then. */
	if (stat(path, &st) || S_ISREG(st.st_mode))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	else
		errno = EINVAL;
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
		errno = EINVAL;
	}
	return fd;
}

#endif
