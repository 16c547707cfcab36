/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "input/regular.h"

/* Limits that end loops; no program needs so much (docs/census-format.md,
 * 5.2). */
#define SECONDS 4
#define BYTES_PER_SECOND (8u << 20)
#define AGAIN 4 /* divides the time of further attempts */
/* Address space.  A real program of 297 MB takes 928 MB. */
#define MEMORY ((uint64_t)448 << 20)
#define MEMORY_PER_BYTE 12

/* gcc and clang show the address sanitizer in different ways. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

/* Stores the path of @name, which is relative to the file @fd. */
static bool path_beside(int fd, const char *name, char path[PATH_MAX])
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

static bool is_no_file(const char *path)
{
	int fd = wm_regular_open(path);

	if (fd < 0)
		return errno == EINVAL;
	close(fd);
	return false;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr(die, name, &attr));
}

/* The .dwo file is beside the program, or where the compiler made it. */
static bool split_is_no_file(Dwarf_Die *unit, int fd)
{
	const char *name = text_of(unit, DW_AT_dwo_name), *made;
	char path[PATH_MAX];

	name = name ? name : text_of(unit, DW_AT_GNU_dwo_name);
	if (!name)
		return false;
	if (path_beside(fd, name, path) && is_no_file(path))
		return true;
	made = text_of(unit, DW_AT_comp_dir);
	return made && *name != '/' &&
	       snprintf(path, sizeof(path), "%s/%s", made, name) < PATH_MAX &&
	       is_no_file(path);
}

static bool any_split_is_no_file(Dwarf *dw, int fd)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (!dwarf_get_units(dw, cu, &cu, NULL, NULL, &unit, NULL))
		if (unit.addr && split_is_no_file(&unit, fd))
			return true;
	return false;
}

Dwarf *wm_dwarf_begin(Elf *elf, int fd)
{
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	char path[PATH_MAX];
	const char *name;
	const void *id;

	if (dw && ((dwelf_dwarf_gnu_debugaltlink(dw, &name, &id) > 0 &&
		    path_beside(fd, name, path) && is_no_file(path)) ||
		   any_split_is_no_file(dw, fd))) {
		dwarf_end(dw);
		dw = NULL;
	}
	return dw;
}

unsigned wm_dwarf_seconds(uint64_t bytes, size_t again)
{
	uint64_t seconds = SECONDS + bytes / BYTES_PER_SECOND;

	return (unsigned)(again ? (seconds + AGAIN - 1) / AGAIN : seconds);
}

/* Failed assertions of libraries are of no use to the user. */
static void be_quiet(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && fd != STDERR_FILENO) {
		dup2(fd, STDERR_FILENO);
		close(fd);
	}
}

void wm_dwarf_guard(uint64_t bytes, size_t again)
{
	static const struct rlimit no_core = { 0, 0 };
	struct rlimit cpu, memory;

	signal(SIGXCPU, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	cpu.rlim_cur = wm_dwarf_seconds(bytes, again);
	cpu.rlim_max = cpu.rlim_cur + 1;
	setrlimit(RLIMIT_CPU, &cpu);
	/* compressed sections are larger in memory (SHF_COMPRESSED) */
	memory.rlim_cur = memory.rlim_max = MEMORY + MEMORY_PER_BYTE * bytes;
#ifndef SANITIZED
	be_quiet();
	setrlimit(RLIMIT_AS, &memory);
#else
	(void)be_quiet;
	(void)memory;
#endif
}
