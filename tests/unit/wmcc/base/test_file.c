/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm_file_load() gives all of a file or nothing: one that gets shorter while
 * it is read (a linker that writes its map anew) is not half a file.
 */
#include "wmcc/base/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/tap.h"

/* The end comes after so many bytes, and each read gives at most a few. */
static size_t most_bytes, at_a_time;
static int interrupted; /* so many times */

ssize_t read(int fd, void *p, size_t n)
{
	long got;

	if (interrupted) {
		interrupted--;
		errno = EINTR;
		return -1;
	}
	n = n < at_a_time ? n : at_a_time;
	n = n < most_bytes ? n : most_bytes;
	got = syscall(SYS_read, fd, p, n);
	most_bytes -= got > 0 ? (size_t)got : 0;
	return got;
}

static char path[] = "/tmp/wm-file.XXXXXX";

static char *load(size_t end, size_t each, size_t most, size_t *size)
{
	most_bytes = end;
	at_a_time = each;
	return wm_file_load(path, most, size);
}

int main(void)
{
	int fd = mkstemp(path);
	size_t size = 0;
	char *text;

	tap_plan(5);
	if (fd < 0 || !wm_write_all(fd, "ten bytes.", 10))
		return 1;
	text = load(SIZE_MAX, SIZE_MAX, 10, &size);
	ok(text && size == 10 && !strcmp(text, "ten bytes."), "all of a file");
	free(text);
	interrupted = 2;
	text = load(SIZE_MAX, 3, 10, &size);
	ok(text && size == 10 && !strcmp(text, "ten bytes."),
	   "in small pieces, with signals between");
	free(text);
	ok(!(text = load(9, SIZE_MAX, 10, &size)), "one that ends early: none");
	free(text);
	ok(!(text = load(0, SIZE_MAX, 10, &size)), "at once: none");
	free(text);
	ok(!(text = load(SIZE_MAX, SIZE_MAX, 9, &size)),
	   "one with more than was asked for: none");
	free(text);
	close(fd);
	unlink(path);
	return tap_done();
}
