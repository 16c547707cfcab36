/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/driver/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wm/env_list.h"
#include "wm/version.h"
#include "wmcc/base/home.h"
#include "wmcc/link/twin_path.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/link/twin.h"

static const char usage[] =
	"usage: wmcc | wmcxx | wmf90 [COMPILER ARGUMENTS]\n"
	"\n"
	"The C, C++ or Fortran compiler, with one difference: when it links a program\n"
	"'app' it also links 'app.wm', the same program with memory tracing.\n"
	"\n"
	"  wmcc | wm-gfortran ...   wmcc: WM_CC; wmcxx, wmc++: WM_CXX;\n"
	"                           wmf90, wmfc, wm-gfortran: WM_FC\n"
	"  wm-mpicc | wm-mpif90 ... MPI's compilers of these names\n"
	"  -show, -showme           print the commands instead of running them\n"
	"  --wm-help                this text\n"
	"  --wm-version             version of wmtools\n"
	"\n"
	"Environment, when linking:\n";

static void show_variable(const char *name, const char *when, const char *value,
			  const char *help)
{
	if (strcmp(when, "run") != 0 && strcmp(when, "read") != 0)
		printf("  %-11s %s (default: %s)\n", name, help, value);
}

void wm_show_help(void)
{
	fputs(usage, stdout);
#define WM_X(name, when, value, help) show_variable(#name, when, value, help);
	WM_ENV_LIST(WM_X)
#undef WM_X
	puts("\nExit status: the compiler's; 127: wmcc itself failed.");
	exit(fflush(stdout) ? WM_EXIT_OWN : 0);
}

void wm_show_version(void)
{
	printf("wmtools %s\n", WM_VERSION);
	exit(fflush(stdout) ? WM_EXIT_OWN : 0);
}

static void print_word(const char *word)
{
	static const char safe[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-+=./:,@%^";

	if (*word && !word[strspn(word, safe)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

static void print_words(const char *before, char *const *words)
{
	for (; *words; words++) {
		fputs(before, stdout);
		print_word(*words);
	}
}

/* CMake asks MPICH's mpicc for -showme:compile, with wmcc as MPICH_CC; if wmcc
 * fails, as a compiler does, CMake asks in MPICH's way. */
static bool asks_for_part(char *const *argv)
{
	for (; *argv; argv++) {
		if (wm_starts(*argv, "-showme:"))
			return true;
	}
	return false;
}

static bool takes_malloc(const char *arg)
{
	static const char *const names[] = { "address", "thread", "leak",
					     "memory" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (wm_starts(arg, "-fsanitize=") && strstr(arg, names[i]))
			return true;
	return false;
}

/* Leaves out options that depend on the program. */
static void show_twin(const struct wm_strv *cmd, const char *output)
{
	struct wm_program_info guess = { 0 };
	struct wm_additions add = { 0 };
	const char *why = NULL;
	char *name;

	for (size_t i = 0; i < cmd->n; i++) {
		if (!strcmp(cmd->v[i], "-static") ||
		    !strcmp(cmd->v[i], "--static") ||
		    !strcmp(cmd->v[i], "-static-pie"))
			guess.is_static = true;
		if (takes_malloc(cmd->v[i]))
			why = "a sanitizer takes the place of malloc";
	}
	wm_additions_suppose(&guess);
	if (!why)
		why = wm_additions_choose(&add, &guess, NULL);
	if (why) {
		printf("# no twin: %s\n", why);
		return;
	}
	name = wm_twin_path_usual(output, WM_TWIN_SUFFIX);
	printf("# twin:");
	print_words(" ", cmd->v);
	print_words(" -Xlinker ", add.first.v);
	print_words(" -Xlinker ", add.last.v);
	fputs(" -o ", stdout);
	print_word(name);
	putchar('\n');
	free(name);
}

void wm_show_command(const struct wm_personality *p,
		     const struct wm_strv *words, const struct wm_args *a,
		     char **argv)
{
	const char *compiler = wm_basename(words->v[words->n - 1]);
	struct wm_strv cmd = { 0 };

	wm_strv_addv(&cmd, words->v);
	if (wm_starts(compiler, "mpi") || asks_for_part(argv)) {
		/* mpicc or the like must answer itself */
		wm_strv_addv(&cmd, argv);
		wm_exec(cmd.v, p->variable);
	}
	for (; *argv; argv++) {
		if (strcmp(*argv, "-show") != 0 && !wm_starts(*argv, "-showme"))
			wm_strv_add(&cmd, *argv);
	}
	print_word(cmd.v[0]);
	print_words(" ", cmd.v + 1);
	putchar('\n');
	if (a->action == WM_ACTION_LINK && !a->probe &&
	    !wm_env_on("WM_DISABLE"))
		show_twin(&cmd, a->output);
	exit(fflush(stdout) ? WM_EXIT_OWN : 0);
}
