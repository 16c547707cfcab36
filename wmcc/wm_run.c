/* SPDX-License-Identifier: Apache-2.0 */
/* wm-run: starts a program with libwmtrace.so in front of its libraries.  It
 * becomes the program, so that status, signals and pid are the program's
 * own. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wm/preload_format.h"
#include "wm/version.h"

#include "wmcc/base/home.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/strv.h"
#include "wmcc/target.h"

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
		wm_die("--trace '%s' is no name of a program", name);
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
			wm_die("'%s' is no option: see wm-run --help", arg);
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
	enum wm_target_kind kind;
	char *path, *why = NULL;

	(void)argc;
	wm_descriptors_reserve();
	wm_message_name("wm-run");
	argv = read_options(&o, argv + 1);
	if (!*argv)
		wm_die("which program? see wm-run --help");
	if (wm_env_on("WM_DISABLE"))
		exec_program(argv);
	path = wm_target_find(argv[0]);
	if (!path)
		exec_program(argv); /* prints the reason */
	kind = wm_target_judge(path, argv[0], &why);
	if (kind == WM_TARGET_BAD) {
		wm_say("error: %s", why);
		free(why);
		free(path);
		return EXIT_REFUSED;
	}
	if (kind == WM_TARGET_RELINKED)
		exec_program(argv);
	if (kind == WM_TARGET_HELPER && !*o.names)
		add_name(&o, argv[0]);
	set_environment(&o);
	exec_program(argv);
}
