/* SPDX-License-Identifier: Apache-2.0 */
#include "wm/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* There is something, but it is not a regular file. */
static bool is_other(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int wm_regular_open(const char *path)
{
	struct stat st;
	int fd = -1;

	/* first, because opening a device may be an order to it; and once
	 * more, because it may be another file by then */
	if (!is_other(path))
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
