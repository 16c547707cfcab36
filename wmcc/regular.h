/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open what should be a program: only a regular file.  Opening a pipe would
 * wait for somebody to write, opening a device may do something; and the
 * executable of a trace is named by whoever wrote the trace.
 */
#ifndef WMCC_REGULAR_H
#define WMCC_REGULAR_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor for reading, or -1 with errno; EINVAL: not a regular file. */
static inline int wm_open_regular(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st))
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	/* it may be another file by now */
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		fd = -1;
	}
	return fd;
}

#endif
