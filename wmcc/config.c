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
"  --fortran         for programs that use MPI from Fortran\n"
"  --cflags          where <wm/wmtrace.h> is\n"
"  --fortran-module  the source of the module wmtrace\n"
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

/*
 * One -Wl, for all: build systems drop words that they see twice.  A word
 * with a comma goes through -Xlinker.
 */
static void print_linker(struct request *r, const struct wm_strv *words)
{
	char *joined = wm_strdup("-Wl"), *more;

	for (size_t i = 0; i < words->n; i++) {
		if (strchr(words->v[i], ',')) {
			print_flag(r, "-Xlinker");
			print_flag(r, words->v[i]);
			continue;
		}
		more = wm_strf("%s,%s", joined, words->v[i]);
		free(joined);
		joined = more;
	}
	if (strcmp(joined, "-Wl"))
		print_flag(r, joined);
	free(joined);
}

static int print_flags(struct request *r)
{
	static const enum wm_mpi_symbol in_c[] = {
		WM_MPI_MPI_Init, WM_MPI_MPI_Init_thread, WM_MPI_MPI_Finalize,
		WM_MPI_MPI_Abort,
	};
	static const enum wm_mpi_symbol in_fortran[] = {
		WM_MPI_mpi_init_, WM_MPI_mpi_init_thread_,
		WM_MPI_mpi_finalize_, WM_MPI_mpi_abort_,
	};
	struct wm_additions add;
	const char *why;

	/* what every MPI has; other spellings are for wmcc, which can look */
	for (size_t i = 0; i < sizeof(in_c) / sizeof(*in_c); i++) {
		r->program.mpi_has[in_c[i]] = true;
		if (r->program.mpi_fortran)
			r->program.mpi_has[in_fortran[i]] = true;
	}
	for (int i = 0; r->program.is_static && i < WM_FOUND_SYMBOLS; i++)
		r->program.found[i] = wm_found_names[i].family ==
				      WM_FAMILY_map;
	wm_additions_init(&add);
	why = wm_additions_choose(&add, &r->program, NULL);
	if (why)
		wm_die("%s: '%s'", why, wm_home()->lib);
	if (r->pre)
		print_linker(r, &add.first);
	if (r->post)
		print_linker(r, &add.last);
	wm_additions_release(&add);
	return 0;
}

/* An option that prints nothing by itself; false: it is another one. */
static bool note_option(struct request *r, const char *arg)
{
	if (!strcmp(arg, "--static"))
		r->program.is_static = true;
	else if (!strcmp(arg, "--mpi=mpich"))
		r->program.mpi = WM_MPI_MPICH;
	else if (!strcmp(arg, "--mpi=ompi"))
		r->program.mpi = WM_MPI_OMPI;
	else if (!strcmp(arg, "--fortran"))
		r->program.mpi_fortran = true;
	else if (!strcmp(arg, "--pre-ld-flags"))
		r->pre = true;
	else if (!strcmp(arg, "--post-ld-flags"))
		r->post = true;
	else
		return false;
	return true;
}

int wm_config(char **argv)
{
	struct request r = { .separator = "" };
	char *flags;

	wm_message_name("wm-config");
	if (!*argv)
		fputs(usage, stdout);
	for (; *argv; argv++) {
		if (note_option(&r, *argv))
			continue;
		if (!strcmp(*argv, "--cflags"))
			flags = wm_strf("-I%s/include", wm_home()->lib);
		else if (!strcmp(*argv, "--libdir"))
			flags = wm_strdup(wm_home()->lib);
		else if (!strcmp(*argv, "--fortran-module"))
			flags = wm_strf("%s/include/wm/wmtrace.f90",
					wm_home()->lib);
		else if (!strcmp(*argv, "--version"))
			flags = wm_strdup(WM_VERSION);
		else if (!strcmp(*argv, "--help"))
			flags = wm_strdup(usage);
		else
			wm_die("'%s' is no option: see wm-config --help",
			       *argv);
		print_flag(&r, flags);
		free(flags);
	}
	if (r.pre || r.post)
		print_flags(&r);
	if (*r.separator)
		putchar('\n');
	return fflush(stdout) ? WM_EXIT_OWN : 0;
}
