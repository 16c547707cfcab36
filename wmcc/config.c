/* SPDX-License-Identifier: Apache-2.0 */
/* wm-config: flags for build systems that dislike compiler wrappers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wm/version.h"
#include "wmcc/home.h"
#include "wmcc/run.h"
#include "wmcc/show.h"
#include "wmcc/twin.h"

static const char usage[] =
"usage: wm-config OPTION...\n"
"\n"
"Flags that make a program traced without the wrapper compilers:\n"
"  cc $(wm-config --static --pre-ld-flags) *.o -static \\\n"
"     $(wm-config --static --post-ld-flags) -o app\n"
"\n"
"  --pre-ld-flags    before the objects\n"
"  --post-ld-flags   after the libraries\n"
"  --static          for static programs (default: dynamic ones)\n"
"  --mpi=mpich|ompi  for programs that use MPI, by its family\n"
"  --cflags          for wmtrace.h, the annotation interface\n"
"  --libdir          where the runtime objects are\n"
"  --version\n";

struct request {
	bool pre, post;
	struct wm_oracle program;
	const char *separator;
};

static void print_flag(struct request *r, const char *flag)
{
	printf("%s%s", r->separator, flag);
	r->separator = " ";
}

/* Each word through -Xlinker, which no comma in a path can break. */
static void print_linker(struct request *r, const struct wm_strv *words)
{
	for (size_t i = 0; i < words->n; i++) {
		print_flag(r, "-Xlinker");
		print_flag(r, words->v[i]);
	}
}

static int print_flags(struct request *r)
{
	struct wm_additions add;
	const char *why;

	if (r->program.mpi != WM_MPI_NONE) {
		/* nobody can say which spellings the program will hold */
		for (int i = 0; i < WM_MPI_SYMBOLS; i++)
			r->program.mpi_has[i] = true;
	}
	wm_strv_init(&add.first);
	wm_strv_init(&add.last);
	why = wm_additions_choose(&add, &r->program, NULL);
	if (why)
		wm_die("%s: '%s'", why, wm_home()->lib);
	if (r->pre)
		print_linker(r, &add.first);
	if (r->post)
		print_linker(r, &add.last);
	return 0;
}

int wm_config(char **argv)
{
	struct request r = { .separator = "" };
	char *flags;

	wm_message_name("wm-config");
	if (!*argv)
		fputs(usage, stdout);
	for (char **a = argv; *a; a++) {
		if (!strcmp(*a, "--static"))
			r.program.is_static = true;
		else if (!strcmp(*a, "--mpi=mpich"))
			r.program.mpi = WM_MPI_MPICH;
		else if (!strcmp(*a, "--mpi=ompi"))
			r.program.mpi = WM_MPI_OMPI;
		else if (!strcmp(*a, "--pre-ld-flags"))
			r.pre = true;
		else if (!strcmp(*a, "--post-ld-flags"))
			r.post = true;
	}
	for (; *argv; argv++) {
		flags = NULL;
		if (!strcmp(*argv, "--cflags"))
			flags = wm_strf("-I%s/include", wm_home()->prefix);
		else if (!strcmp(*argv, "--libdir"))
			flags = wm_strdup(wm_home()->lib);
		else if (!strcmp(*argv, "--version"))
			flags = wm_strdup(WM_VERSION);
		else if (!strcmp(*argv, "--help"))
			flags = wm_strdup(usage);
		else if (strcmp(*argv, "--static") &&
			 strcmp(*argv, "--mpi=mpich") &&
			 strcmp(*argv, "--mpi=ompi") &&
			 strcmp(*argv, "--pre-ld-flags") &&
			 strcmp(*argv, "--post-ld-flags"))
			wm_die("'%s' is no option: see wm-config --help",
			       *argv);
		if (flags)
			print_flag(&r, flags);
		free(flags);
	}
	if (r.pre || r.post)
		print_flags(&r);
	if (*r.separator)
		putchar('\n');
	return fflush(stdout) ? WM_EXIT_OWN : 0;
}
