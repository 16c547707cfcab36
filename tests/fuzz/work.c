/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of this process. */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[4096];

static void fail(const char *what)
{
	perror(what);
	_exit(77);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path) != 0;
}

void fuzz_remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void end(void)
{
	if (chdir("/") == 0)
		fuzz_remove_tree(dir);
}

void fuzz_begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/wm-fuzz.XXXXXX", tmp ? tmp : "/dev/shm");
	if (!mkdtemp(dir) || chdir(dir))
		fail(dir);
	atexit(end);
}

void fuzz_write_file(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		fail(path);
	close(fd);
}
