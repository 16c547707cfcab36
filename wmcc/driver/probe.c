/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/driver/driver.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For configure, a subshell or two, libtool, ccache, mpicc. */
#define MOST_ANCESTORS 16

/* Adds a zero.  Returns the number of bytes, or -1. */
static ssize_t read_proc(long pid, const char *name, char *buf, size_t size)
{
	char *path = wm_strf("/proc/%ld/%s", pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	free(path);
	if (fd >= 0) {
		n = read(fd, buf, size - 1);
		close(fd);
	}
	buf[n > 0 ? n : 0] = 0;
	return n;
}

static long parent_of(long pid)
{
	char text[512], *end;
	long parent;

	/* PID (NAME) STATE PARENT ...; a name may have any bytes */
	if (read_proc(pid, "stat", text, sizeof(text)) <= 0)
		return 0;
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %ld", &parent) == 1 ? parent : 0;
}

enum kind {
	OTHER,
	CONFIGURE,
	BUILD_TOOL,
};

static enum kind kind_of(long pid)
{
	static const char scripts[] = "configure Configure";
	static const char tools[] =
		"make gmake ninja samu cargo go bazel scons ctest";
	static const char interpreters[] =
		"sh bash dash ksh mksh zsh busybox perl";
	char text[4096];
	ssize_t n = read_proc(pid, "cmdline", text, sizeof(text));
	const char *end = text + (n > 0 ? n : 0), *word = text;

	if (n <= 0)
		return OTHER;
	if (wm_equals_any(wm_basename(word), tools))
		return BUILD_TOOL;
	if (wm_equals_any(wm_basename(word), scripts))
		return CONFIGURE;
	if (!wm_equals_any(wm_basename(word), interpreters))
		return OTHER;
	/* the script is the first word that is not an option */
	for (word += strlen(word) + 1; word < end && *word == '-';)
		word += strlen(word) + 1;
	return word < end && wm_equals_any(wm_basename(word), scripts) ?
		       CONFIGURE :
		       OTHER;
}

bool wm_in_probe_folder(void)
{
	char here[4096];

	/* Go's linker tests options with trivial.c there */
	return getcwd(here, sizeof(here)) &&
	       wm_starts(wm_basename(here), "go-link-");
}

bool wm_below_configure(void)
{
	long pid = getppid();

	for (size_t i = 0; i < MOST_ANCESTORS && pid > 1; i++) {
		enum kind kind = kind_of(pid);

		if (kind != OTHER)
			return kind == CONFIGURE;
		pid = parent_of(pid);
	}
	return false;
}
