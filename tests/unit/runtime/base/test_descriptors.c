/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm_sys_openat() while another thread closes the number that it has just got,
 * and opens a file of the program's there: before the descriptor is moved out
 * of the way, and after.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/tap.h"

/* The other thread comes before a call of fcntl(2). */
static void other_thread(void);
#undef SYS_fcntl
#define SYS_fcntl (other_thread(), __NR_fcntl)
#include "runtime/base/sys.h"

static int calls, at_call; /* 0: never */
static int lowest; /* the number that open() gives next */
static const char *theirs;
static int theirs_flags;

static void other_thread(void)
{
	if (++calls != at_call)
		return;
	close(lowest);
	if (open(theirs, theirs_flags | O_CLOEXEC) != lowest)
		abort();
}

static int is_open(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0;
}

static int is_file(int fd, const char *path)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(path, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int how_many(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += is_open(fd);
	return n;
}

static void check(const char *what, int call, const char *path, int flags,
		  const char *other)
{
	int before = how_many(), fd;

	calls = 0;
	at_call = call;
	theirs = other;
	theirs_flags = flags & O_DIRECTORY;
	lowest = dup(0);
	close(lowest);
	fd = wm_sys_openat(AT_FDCWD, path, flags | O_CLOEXEC, 0);
	ok(!call || is_file(lowest, other), "%s: theirs stays open", what);
	ok(fd >= 0 ? fd != lowest && is_file(fd, path) : fd == -ESTALE && call,
	   "%s: the file that was asked for, or none", what);
	if (call)
		close(lowest);
	if (fd >= 0)
		close(fd);
	ok(how_many() == before, "%s: nothing else is open", what);
}

int main(void)
{
	tap_plan(21);
	check("nobody comes", 0, "/proc/self/maps", O_RDONLY, "/dev/null");
	check("a file, before", 1, "/proc/self/maps", O_RDONLY, "/dev/null");
	check("a file, after", 2, "/proc/self/maps", O_RDONLY, "/dev/null");
	check("the same file, before", 1, "/dev/null", O_RDONLY, "/dev/null");
	check("a directory, before", 1, "/", O_PATH | O_DIRECTORY, "/proc");
	check("a directory, after", 2, "/", O_PATH | O_DIRECTORY, "/proc");
	check("the same directory, before", 1, "/", O_PATH | O_DIRECTORY, "/");
	return tap_done();
}
