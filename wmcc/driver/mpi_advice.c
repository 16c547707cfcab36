/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler's messages went to the user, so wmcc looks for the missing file:
 * for C and C++ with the preprocessor, for Fortran by compiling a program of
 * two lines, as compilers write modules even when they only check the syntax.
 */
#include "wmcc/driver/driver.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wmcc/base/home.h"
#include "wmcc/base/subprocess.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Options that write files, or end before the preprocessor. */
static const char dropped[] = "-c -S -E -M -MM -MD -MMD -MP -MG";
static const char dropped_pairs[] =
	"-o -MF -MT -MQ -MJ -aux-info -serialize-diagnostics";
static const char dropped_prefix[] =
	"-o -MF -MT -MQ -Wp,-M -save-temps --save-temps -fdump -ftime-trace";
static const char folders[] = "-I -J -module";

static const char *const wrappers[][3] = {
	{ "WM_CC", "mpicc", NULL },
	{ "WM_CXX", "mpicxx", "mpic++" },
	{ "WM_FC", "mpif90", "mpifort" },
};

static const char *wrapper_of(const struct wm_personality *p)
{
	for (size_t i = 0; i < COUNT(wrappers); i++) {
		if (strcmp(wrappers[i][0], p->variable) != 0)
			continue;
		for (size_t k = 1; k < 3 && wrappers[i][k]; k++) {
			char *file = wm_find_program(getenv("PATH"),
						     wrappers[i][k]);

			free(file);
			if (file)
				return wrappers[i][k];
		}
	}
	return NULL;
}

bool wm_mpi_advice_possible(const struct wm_personality *p)
{
	const char *user = getenv(p->variable);

	return !p->compiler && !(user && *user) && wrapper_of(p);
}

/* The caller frees the output.  Stores the wait status in *@status. */
static char *run_and_read(const struct wm_strv *cmd, int *status)
{
	static char plain[] = "LC_ALL=C";
	char *set[] = { plain, NULL };
	struct wm_command run = { .argv = cmd->v,
				  .set = set,
				  .no_stdin = true };
	int fd = wm_capture_open();

	if (fd < 0)
		return NULL;
	run.out = run.err = fd;
	*status = wm_child_run(&run);
	return wm_capture_read(fd);
}

static bool lacks_header(const struct wm_strv *words, char *const *args)
{
	struct wm_strv cmd = { 0 };
	int status = 0;
	bool lacks;
	char *said;

	wm_strv_addv(&cmd, words->v);
	for (; *args; args++) {
		if (!strcmp(*args, "-")) {
			wm_strv_release(&cmd);
			return false; /* the source has been read */
		}
		if (wm_equals_any(*args, dropped_pairs) && args[1])
			args++;
		else if (!wm_equals_any(*args, dropped) &&
			 !wm_starts_any(*args, dropped_prefix))
			wm_strv_add(&cmd, *args);
	}
	wm_strv_split(&cmd, "-E -o /dev/null");
	said = run_and_read(&cmd, &status);
	lacks = said && status &&
		(strstr(said, " mpi.h: No such file") ||
		 strstr(said, "'mpi.h' file not found"));
	free(said);
	wm_strv_release(&cmd);
	return lacks;
}

/* Returns a program that needs the same part of MPI as @source, or NULL. */
static const char *fortran_wish(const char *source)
{
	static const char use[] =
		"^[ \t]*use[ \t]*(,[^:]*)?(::)?[ \t]*mpi(_f08)?[ \t]*(,|!|$)";
	static const char include[] = "^[ \t]*include[ \t]*['\"]mpif\\.h['\"]";
	const char *wish = NULL;
	regex_t re[2];
	size_t size = 0;
	char *line = NULL;
	FILE *f = fopen(source, "re");

	if (!f)
		return NULL;
	regcomp(&re[0], use, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	regcomp(&re[1], include, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	while (!wish && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\r\n")] = 0;
		if (!regexec(&re[0], line, 0, NULL, 0))
			wish = "use mpi\nend\n";
		else if (!regexec(&re[1], line, 0, NULL, 0))
			wish = "include 'mpif.h'\nend\n";
	}
	regfree(&re[0]);
	regfree(&re[1]);
	free(line);
	fclose(f);
	return wish;
}

static bool lacks_module(const struct wm_strv *words, char *const *args)
{
	const char *wish = NULL;
	struct wm_strv cmd = { 0 };
	int status = 0, fd;

	wm_strv_addv(&cmd, words->v);
	for (; *args; args++) {
		if (wm_starts_any(*args, folders)) {
			wm_strv_add(&cmd, *args);
			if (wm_equals_any(*args, folders) && args[1])
				wm_strv_add(&cmd, *++args);
		} else if (!wish && **args != '-' && wm_is_regular(*args)) {
			wish = fortran_wish(*args);
		}
	}
	fd = wish ? memfd_create("wish", 0) : -1;
	if (fd >= 0 && write(fd, wish, strlen(wish)) > 0) {
		wm_strv_split(&cmd, "-fsyntax-only -x f95");
		wm_strv_addf(&cmd, "/dev/fd/%d", fd);
		free(run_and_read(&cmd, &status));
	}
	if (fd >= 0)
		close(fd);
	wm_strv_release(&cmd);
	return status != 0;
}

void wm_mpi_advise(const struct wm_personality *p, const struct wm_strv *words,
		   char *const *args)
{
	bool fortran = !strcmp(p->variable, "WM_FC");
	const char *wrapper = wrapper_of(p);

	if (!wrapper ||
	    !(fortran ? lacks_module(words, args) : lacks_header(words, args)))
		return;
	wm_warn("'%s' does not know MPI: let %s run MPI's compiler, '%s=%s "
		"make ...', or use 'wm-%s' instead of '%s'",
		words->v[0], p->name, p->variable, wrapper, wrapper, p->name);
}
