/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/regular.h"

size_t wm_read_all(int fd, void *p, size_t n)
{
	size_t done = 0;
	ssize_t got;

	while (done < n) {
		got = read(fd, (char *)p + done, n - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

bool wm_write_all(int fd, const void *p, size_t n)
{
	const char *from = p;

	while (n) {
		ssize_t put = write(fd, from, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		from += put;
		n -= (size_t)put;
	}
	return true;
}

void *wm_file_load(const char *path, size_t most, size_t *size)
{
	int fd = wm_regular_open(path);
	char *bytes = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && (size_t)st.st_size <= most)
		bytes = malloc((size_t)st.st_size + 1);
	if (bytes) {
		*size = wm_read_all(fd, bytes, (size_t)st.st_size);
		bytes[*size] = 0;
	}
	if (bytes && *size != (size_t)st.st_size) {
		free(bytes);
		bytes = NULL;
	}
	close(fd);
	return bytes;
}

bool wm_file_make(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool done = fd >= 0 && wm_write_all(fd, bytes, n);

	return fd >= 0 && !close(fd) && done;
}
