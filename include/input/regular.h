/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files that other files name (a trace names its executable and
 * libraries, and these name their debug information).  Only regular files are
 * opened: opening a pipe would wait for a writer, and opening a device may
 * start something. */
#ifndef WM_REGULAR_H
#define WM_REGULAR_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns a descriptor for reading, or -1 with errno, which is EINVAL if @path
 * is not a regular file. */
static inline int wm_regular_open(const char *path)
{
	struct stat st;
	int fd = -1;

	/* Checked before opening, because opening a device may be an order to
	 * the device, and again after opening, because the path may denote
	 * another file by then. */
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
