/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/dwarf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "wm/regular.h"

/* @name beside the file that @fd is; libdw looks there. */
static int beside(int fd, const char *name, char path[PATH_MAX])
{
	char link[32], file[PATH_MAX], *slash;
	ssize_t n;
	int length;

	if (*name == '/') {
		length = snprintf(path, PATH_MAX, "%s", name);
	} else {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, file, sizeof(file) - 1);
		file[n > 0 ? n : 0] = 0;
		slash = strrchr(file, '/');
		if (slash)
			*slash = 0;
		length = snprintf(path, PATH_MAX, "%s/%s", slash ? file : ".",
				  name);
	}
	return length < PATH_MAX;
}

static int is_no_file(const char *path)
{
	int fd = wm_regular_open(path);

	if (fd < 0)
		return errno != ENOENT;
	close(fd);
	return 0;
}

Dwarf *wm_dwarf_begin(Elf *elf, int fd)
{
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	char path[PATH_MAX];
	const char *name;
	const void *id;

	if (dw && dwelf_dwarf_gnu_debugaltlink(dw, &name, &id) > 0 &&
	    beside(fd, name, path) && is_no_file(path)) {
		dwarf_end(dw);
		dw = NULL;
	}
	return dw;
}
