/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/home.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/switch.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/strv.h"

static void cut_last(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = 0;
}

const struct wm_home *wm_home(void)
{
	static const char inner[] = "/libexec/wmtools";
	static struct wm_home home;
	char exe[PATH_MAX];
	char *folder;
	ssize_t n;

	if (home.exe)
		return &home;
	n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (n <= 0)
		wm_die("cannot read /proc/self/exe: is /proc mounted?");
	exe[n] = 0;
	home.exe = wm_strdup(exe);
	cut_last(exe);
	n = (ssize_t)strlen(exe) - (ssize_t)strlen(inner);
	folder = n > 0 ? exe + n : exe;
	if (strcmp(folder, inner) == 0)
		*folder = 0;
	else
		cut_last(exe);
	home.prefix = wm_strdup(exe);
	home.lib = wm_strf("%s/lib/wmtools", exe);
	home.libexec = wm_strf("%s/libexec/wmtools", exe);
	return &home;
}

bool wm_same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 &&
	       sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

bool wm_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_other_program(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(file, X_OK) == 0 && !wm_same_file(file, wm_home()->exe);
}

char *wm_find_program(const char *path, const char *name)
{
	const char *end;

	if (strchr(name, '/'))
		return is_other_program(name) ? wm_strdup(name) : NULL;
	for (; path && *path; path = *end ? end + 1 : end) {
		char *dir, *file;
		bool good;

		end = strchrnul(path, ':');
		dir = wm_strf("%.*s", (int)(end - path), path);
		file = wm_strf("%s%s%s", *dir ? dir : ".",
			       wm_ends(dir, "/") ? "" : "/", name);
		good = is_other_program(file) &&
		       !wm_same_file(*dir ? dir : ".", wm_home()->libexec);
		free(dir);
		if (good)
			return file;
		free(file);
	}
	return NULL;
}

char *wm_compiler_path_with(void)
{
	const char *user = getenv("COMPILER_PATH");

	return wm_strf("%s%s%s", wm_home()->libexec, user && *user ? ":" : "",
		       user ? user : "");
}

char *wm_compiler_path_without(void)
{
	const char *path = getenv("COMPILER_PATH"), *end;
	char *left = wm_strdup("");

	for (; path && *path; path = *end ? end + 1 : end) {
		char *dir, *more;

		end = strchrnul(path, ':');
		dir = wm_strf("%.*s", (int)(end - path), path);
		if (!wm_same_file(dir, wm_home()->libexec)) {
			more = wm_strf("%s%s%s", left, *left ? ":" : "", dir);
			free(left);
			left = more;
		}
		free(dir);
	}
	return left;
}

bool wm_env_on(const char *name)
{
	const char *v = getenv(name);
	int is = v && *v ? wm_switch(v) : 0;

	if (is < 0)
		wm_warn("%s='%s' is neither on nor off: off is taken", name, v);
	return is > 0;
}

int wm_folders_make(const char *path, mode_t mode)
{
	char *copy = wm_strdup(path);
	int why = 0;

	for (char *at = copy + 1; !why && (at = strchr(at, '/')); at++) {
		*at = 0;
		if (mkdir(copy, mode) && errno != EEXIST) {
			/* the folder may exist on a read-only file system */
			why = errno;
			if (!access(copy, F_OK))
				why = 0;
		}
		*at = '/';
	}
	free(copy);
	errno = why;
	return why ? -1 : 0;
}
