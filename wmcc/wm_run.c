/* SPDX-License-Identifier: Apache-2.0 */
/* wm-run: starts a program with libwmtrace.so in front of its libraries.  It
 * becomes the program, so that status, signals and pid are the program's
 * own. */
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
#include "wm/preload_format.h"
#include "wm/version.h"

#include "input/regular.h"

#include "wmcc/base/home.h"
#include "wmcc/base/machine.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/strv.h"
#include "wmcc/link/program_info.h"

/* As env(1) has it: the program exists, but cannot be started or traced. */
#define EXIT_REFUSED 126

static const char usage[] =
	"usage: wm-run [OPTIONS] PROGRAM [ARGUMENTS]\n"
	"\n"
	"Run a dynamic program that was not relinked, and trace its memory.\n"
	"  mpiexec -n 4 wm-run ./app     every rank\n"
	"  wm-run mpiexec -n 4 ./app     the same, where the launcher hands on the\n"
	"                                environment\n"
	"\n"
	"  --trace NAME    trace programs of this name, and no others; again for more\n"
	"  --follow        also trace programs that traced programs start\n"
	"  -h, --help      this text\n"
	"  -V, --version\n"
	"\n"
	"  WM_DIR=/scratch wm-run ./app  && wm-analyze /scratch/app.*.wm\n"
	"  wm-run --trace app ./script   programs of this name below a script\n"
	"\n"
	"A launcher, shell or script is not traced, but the programs that it starts.\n"
	"Variables: see wm-environment(7).  Exit status: the program's; 126: it can\n"
	"not be traced or started; 127: it is not there, or wm-run itself failed.\n";

struct options {
	bool follow;
	char *names; /* WM_PRELOAD_NEXT precedes each name */
};

static void add_name(struct options *o, const char *name)
{
	char *more;

	if (!*name || strchr(name, WM_PRELOAD_NEXT))
		wm_die("--trace '%s' is not the name of a program", name);
	more = wm_strf("%s%c%s", o->names, WM_PRELOAD_NEXT, wm_basename(name));
	free(o->names);
	o->names = more;
}

__attribute__((noreturn)) static void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? WM_EXIT_OWN : 0);
}

static char **read_options(struct options *o, char **argv)
{
	for (; *argv && argv[0][0] == '-'; argv++) {
		const char *arg = *argv;

		if (!strcmp(arg, "--"))
			return argv + 1;
		if (!strcmp(arg, "--follow"))
			o->follow = true;
		else if (wm_starts(arg, "--trace="))
			add_name(o, arg + strlen("--trace="));
		else if (!strcmp(arg, "--trace") && argv[1])
			add_name(o, *++argv);
		else if (!strcmp(arg, "--help") || !strcmp(arg, "-h"))
			print_and_exit(usage);
		else if (!strcmp(arg, "--version") || !strcmp(arg, "-V"))
			print_and_exit("wm-run " WM_VERSION "\n");
		else
			wm_die("'%s' is not an option: see wm-run --help", arg);
	}
	return argv;
}

/* An allocator among other preloaded libraries must come after libwmtrace.so:
 * the program uses it, and libwmtrace.so finds its functions. */
static void set_environment(const struct options *o)
{
	const char *old = getenv("LD_PRELOAD");
	char *library = wm_strf("%s/" WM_PRELOAD_LIBRARY, wm_home()->lib);
	char *value;

	if (access(library, R_OK))
		wm_die("'%s': %s", library, strerror(errno));
	if (strpbrk(library, " :"))
		wm_die("'%s': LD_PRELOAD cannot take a path with a space or a "
		       "colon",
		       library);
	value = old ? wm_strf("%s:%s", library, old) : library;
	if (setenv("LD_PRELOAD", value, 1))
		wm_die("%s", strerror(errno));
	unsetenv(WM_PRELOAD_ENV);
	if (o->follow || *o->names) {
		value = wm_strf("%s%s", o->follow ? "f" : "", o->names);
		if (setenv(WM_PRELOAD_ENV, value, 1))
			wm_die("%s", strerror(errno));
	}
}

enum target_kind {
	TARGET_GOOD, /* also a shell or a launcher, whose children are traced */
	TARGET_HELPER, /* traced only if the user names it */
	TARGET_RELINKED, /* traces itself */
	TARGET_BAD, /* nothing can be traced */
};

/* The kernel's limit of nested scripts. */
#define MAX_SCRIPTS 4

#define X(name) name " "
static const char launchers[] = WM_PASS_LAUNCHERS(X);
static const char helpers[] = WM_PASS_HELPERS(X);
#undef X

/* Returns the file that execvp() would run, malloc'ed, or NULL with errno. */
static char *find_target(const char *name)
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

static const char relink[] = ": relink it with wmcc, see wmcc(1)";

static enum target_kind judge_program(const char *path, const char *name,
				      char **why)
{
	const char *reason = NULL, *advice = relink;
	struct wm_program_info o;
	char err[256];

	if (wm_program_info_read(&o, path, err, sizeof(err)) < 0) {
		*why = wm_strf("'%s': %s", path, err);
		return TARGET_BAD;
	}
	if (o.relinked)
		return TARGET_RELINKED;
	if (is_one_of(launchers, path, name))
		return TARGET_GOOD;
	if (!o.is64 || o.machine != wm_machine_own()->number)
		reason = "is a program for another kind of machine",
		advice = "";
	else if (o.is_static)
		reason = "is static: nothing can be preloaded into it";
	else if (o.musl)
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
		return TARGET_BAD;
	}
	return is_one_of(helpers, path, name) ? TARGET_HELPER : TARGET_GOOD;
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

/* Returns the kind of @path, which the user calls @name; the kind of a script
 * is that of its interpreter.  For TARGET_BAD, *@why is the reason, which the
 * caller frees. */
static enum target_kind judge_target(const char *path, const char *name,
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
		return TARGET_GOOD;
	return judge_program(path, name, why);
}

__attribute__((noreturn)) static void exec_program(char **argv)
{
	int why;

	execvp(argv[0], argv);
	why = errno;
	wm_say("error: '%s': %s", argv[0], strerror(why));
	exit(why == ENOENT ? WM_EXIT_OWN : EXIT_REFUSED);
}

int main(int argc, char **argv)
{
	struct options o = { 0, wm_strdup("") };
	enum target_kind kind;
	char *path, *why = NULL;

	(void)argc;
	wm_descriptors_reserve();
	wm_message_name("wm-run");
	argv = read_options(&o, argv + 1);
	if (!*argv)
		wm_die("which program? see wm-run --help");
	if (wm_env_on("WM_DISABLE"))
		exec_program(argv);
	path = find_target(argv[0]);
	if (!path)
		exec_program(argv); /* prints the reason */
	kind = judge_target(path, argv[0], &why);
	if (kind == TARGET_BAD) {
		wm_say("error: %s", why);
		free(why);
		free(path);
		return EXIT_REFUSED;
	}
	if (kind == TARGET_RELINKED)
		exec_program(argv);
	if (kind == TARGET_HELPER && !*o.names)
		add_name(&o, argv[0]);
	set_environment(&o);
	exec_program(argv);
}
