/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/target.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "wm/pass_list.h"

#include "input/regular.h"

#include "wmcc/link/program_info.h"
#include "wmcc/base/machine.h"
#include "wmcc/base/strv.h"

/* The kernel's limit of nested scripts. */
#define MAX_SCRIPTS 4

#define X(name) name " "
static const char launchers[] = WM_PASS_LAUNCHERS(X);
static const char helpers[] = WM_PASS_HELPERS(X);
#undef X

char *wm_target_find(const char *name)
{
	const char *path = getenv("PATH"), *end;
	int err = ENOENT;

	if (strchr(name, '/'))
		return access(name, F_OK) ? NULL : wm_strdup(name);
	for (path = path ? path : "/bin:/usr/bin";; path = end + 1) {
		struct stat st;
		char *file;

		end = strchrnul(path, ':');
		file = wm_strf("%.*s%s%s", (int)(end - path), path,
			       end == path ? "" : "/", name);
		if (!stat(file, &st) && S_ISREG(st.st_mode)) {
			if (!access(file, X_OK))
				return file;
			err = EACCES;
		}
		free(file);
		if (!*end)
			break;
	}
	errno = err;
	return NULL;
}

/* Compares the same two names as runtime/process/preload.c. */
static bool is_one_of(const char *list, const char *path, const char *name)
{
	char *real = realpath(path, NULL);
	bool found = wm_equals_any(wm_basename(name), list) ||
		     (real && wm_equals_any(wm_basename(real), list));

	free(real);
	return found;
}

/* The loader drops LD_PRELOAD for programs that gain rights. */
static bool gains_rights(const char *path)
{
	struct stat st;

	if (!stat(path, &st) &&
	    (st.st_mode & S_ISUID ||
	     (st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP)))
		return geteuid() != st.st_uid || st.st_mode & S_ISGID;
	return getxattr(path, "security.capability", NULL, 0) > 0 &&
	       geteuid() != 0;
}

/* Stores "" if the program has no loader. */
static void read_loader(const char *path, char *loader, size_t size)
{
	int fd = wm_regular_open(path);
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	*loader = 0;
	if (fd >= 0 && pread(fd, &eh, sizeof(eh), 0) == sizeof(eh)) {
		for (size_t i = 0; i < eh.e_phnum; i++) {
			ssize_t n;

			if (pread(fd, &ph, sizeof(ph),
				  (off_t)(eh.e_phoff + i * sizeof(ph))) !=
				    sizeof(ph) ||
			    ph.p_type != PT_INTERP)
				continue;
			n = pread(fd, loader, size - 1, (off_t)ph.p_offset);
			loader[n > 0 ? n : 0] = 0;
		}
	}
	if (fd >= 0)
		close(fd);
}

static const char relink[] = ": relink it with wmcc, see wmcc(1)";

static enum wm_target_kind judge_program(const char *path, const char *name,
					 char **why)
{
	const char *reason = NULL, *advice = relink;
	struct wm_program_info o;
	char err[256], loader[256];

	if (wm_program_info_read(&o, path, err, sizeof(err)) < 0) {
		*why = wm_strf("'%s': %s", path, err);
		return WM_TARGET_BAD;
	}
	if (o.relinked)
		return WM_TARGET_RELINKED;
	if (is_one_of(launchers, path, name))
		return WM_TARGET_PASSED;
	read_loader(path, loader, sizeof(loader));
	if (!o.is64 || o.machine != wm_machine_own()->number)
		reason = "is a program for another kind of machine",
		advice = "";
	else if (o.is_static)
		reason = "is static, nothing can be put into it";
	else if (strstr(loader, "ld-musl"))
		reason = "runs with musl, the library with glibc";
	else if (o.sanitizer)
		reason = "is built with a sanitizer", advice = "";
	else if (o.own_heap)
		reason = wm_strf("brings its own %s, which cannot be seen "
				 "from outside",
				 o.own_heap);
	else if (gains_rights(path))
		reason = "runs with other rights than yours";
	if (reason) {
		*why = wm_strf("'%s' %s%s", path, reason, advice);
		return WM_TARGET_BAD;
	}
	return is_one_of(helpers, path, name) ? WM_TARGET_HELPER :
						WM_TARGET_GOOD;
}

static size_t read_start(const char *path, char *buf, size_t size)
{
	int fd = wm_regular_open(path);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0 ? (size_t)n : 0;
}

enum wm_target_kind wm_target_judge(const char *path, const char *name,
				    char **why)
{
	char start[512], *interpreter;
	unsigned int scripts = 0;

	*why = NULL;
	while (read_start(path, start, sizeof(start)) >= 2 && start[0] == '#' &&
	       start[1] == '!' && ++scripts <= MAX_SCRIPTS) {
		/* static, as the caller's path must outlive this iteration */
		static char next[sizeof(start)];

		interpreter = start + 2 + strspn(start + 2, " \t");
		interpreter[strcspn(interpreter, " \t\n")] = 0;
		path = name = strcpy(next, interpreter);
	}
	/* execvp() runs other files with the shell */
	if (memcmp(start, ELFMAG, SELFMAG) != 0)
		return WM_TARGET_PASSED;
	return judge_program(path, name, why);
}
