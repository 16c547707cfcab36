/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/file_text.h"

#include <fcntl.h>

#include "runtime/base/sys.h"

size_t wm_file_text(const char *path, char *to, size_t room)
{
	int fd = wm_sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	size_t len = 0;
	long n = 1;

	/* If another thread has closed this descriptor and opened its own file
	 * there, pread does no harm: a pipe or a socket refuses it, a file
	 * keeps its position. */
	while (fd >= 0 && n > 0 && len < room - 1) {
		n = WM_SYS4(SYS_pread64, fd, to + len, room - 1 - len, len);
		len += n > 0 ? (size_t)n : 0;
	}
	to[len] = 0;
	if (fd >= 0)
		wm_sys_close(fd);
	return len;
}
