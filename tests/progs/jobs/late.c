/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to be preloaded, which allocates nothing: when a file called
 * $LATE_NAME is opened for the $LATE_TURN-th time, $LATE_FILE takes its place
 * just before (t6500); $LATE_TURN 0: each time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
	static int opened;
	int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	const char *name = strrchr(path, '/'), *turn = getenv("LATE_TURN");
	char from[256];
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	if (turn && name && strcmp(name + 1, getenv("LATE_NAME")) == 0) {
		opened++;
		/* another one each time: LATE_FILE.1, LATE_FILE.2 ... */
		snprintf(from, sizeof(from), "%s.%d", getenv("LATE_FILE"),
			 opened);
		if (atoi(turn) == opened)
			rename(getenv("LATE_FILE"), path);
		else if (atoi(turn) == 0)
			rename(from, path);
	}
	return real(path, flags, mode);
}
