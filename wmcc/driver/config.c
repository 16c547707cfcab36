/* SPDX-License-Identifier: Apache-2.0 */
/* wm-config: prints flags for build systems without compiler wrappers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wm/version.h"
#include "wmcc/base/home.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/driver/driver.h"
#include "wmcc/link/twin.h"

static const char usage[] =
	"usage: wm-config OPTION...\n"
	"\n"
	"Flags that make a program traced without the wrapper compilers:\n"
	"  cc $(wm-config --static --pre-ld-flags) *.o -static \\\n"
	"     $(wm-config --static --post-ld-flags) -o app\n"
	"  cc *.o $(wm-config --libs) -o app\n"
	"\n"
	"Output:\n"
	"  --libs             all flags of a link, for one place: LIBS\n"
	"  --ldflags          only the options among these, for LDFLAGS; needs --libs, too\n"
	"  --pre-ld-flags     the same as --libs in two parts: before the objects\n"
	"  --post-ld-flags    and after the libraries\n"
	"  --cflags           where <wm/wmtrace.h> is\n"
	"  --fortran-module   the source of the module wmtrace\n"
	"  --prefix           where wmtools is installed\n"
	"  --libdir           where the runtime objects are\n"
	"  --pkg-config-path  where the files for pkg-config are\n"
	"  --pkg-config       such a file, for the program that is described\n"
	"  --profile          wm.conf, for mpicc -profile=wm of MPICH and relatives\n"
	"  -V, --version      the version\n"
	"  -h, --help         this text\n"
	"\n"
	"Program:\n"
	"  --static           static (default: dynamic)\n"
	"  --mpi              uses MPI: MPICH and relatives, Open MPI\n"
	"  --mpi=abi          uses MPI by the standard ABI of MPI-5\n"
	"  --fortran          uses it from Fortran\n"
	"  --ftn              only the flags that --fortran adds to others\n"
	"  --aligned          static; aligned functions are not in malloc's member of\n"
	"                     its archive: musl, some allocators\n"
	"  --new              C++ with an allocator's own operator new\n"
	"  --threads          dynamic, makes threads\n"
	"\n"
	"  cc $(wm-config --cflags) -c app.c\n"
	"  cc -o app.wm app.o $(wm-config --static --libs)\n"
	"  mpicc -o app.wm app.o $(wm-config --static --mpi --libs)\n"
	"  mpicc -profile=$(wm-config --libdir)/wm -o app.wm app.o\n";

struct request {
	bool pre, post, flags, pc, ftn;
	struct wm_program_info program;
	const char *separator;
};

/* Names of every MPI since MPI-3; wmcc finds others in the program. */
static const enum wm_mpi_symbol mpi_in_c[] = {
	WM_MPI_MPI_Init,	 WM_MPI_MPI_Init_thread,
	WM_MPI_MPI_Finalize,	 WM_MPI_MPI_Abort,
	WM_MPI_MPI_Alloc_mem,	 WM_MPI_MPI_Free_mem,
	WM_MPI_MPI_Win_allocate, WM_MPI_MPI_Win_allocate_shared,
	WM_MPI_MPI_Win_free,
};

/* Functions of the module mpi_f08 call those of C. */
static const enum wm_mpi_symbol mpi_in_fortran[] = {
	WM_MPI_mpi_init_,	  WM_MPI_mpi_init_thread_,
	WM_MPI_mpi_finalize_,	  WM_MPI_mpi_abort_,
	WM_MPI_mpi_alloc_mem_,	  WM_MPI_mpi_free_mem_,
	WM_MPI_mpi_win_allocate_, WM_MPI_mpi_win_allocate_shared_,
	WM_MPI_mpi_win_free_,
};

/* A file for pkg-config has a folder relative to itself. */
static void print_flag(struct request *r, const char *flag)
{
	const char *lib = wm_home()->lib;
	const char *at = r->pc ? strstr(flag, lib) : NULL;

	fputs(r->separator, stdout);
	for (; at; at = strstr(flag, lib)) {
		printf("%.*s${objects}", (int)(at - flag), flag);
		flag = at + strlen(lib);
	}
	fputs(flag, stdout);
	r->separator = " ";
}

/* Joins words in one -Wl, as build systems drop a word that they see twice.  A
 * word with a comma needs -Xlinker. */
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
	if (strcmp(joined, "-Wl") != 0)
		print_flag(r, joined);
	free(joined);
}

/* Sets the facts that wmcc would read in the plain program. */
static void describe_program(struct wm_program_info *o)
{
	for (size_t i = 0; i < sizeof(mpi_in_c) / sizeof(*mpi_in_c); i++) {
		o->mpi_has[mpi_in_c[i]] = true;
		if (o->mpi_fortran)
			o->mpi_has[mpi_in_fortran[i]] = true;
	}
	wm_additions_suppose(o);
	for (size_t i = 0; o->is_static && i < WM_FOUND_SYMBOLS; i++)
		if (wm_found_names[i].family == WM_FAMILY_map ||
		    wm_found_names[i].family == WM_FAMILY_new)
			o->found[i] = 1;
}

/* Asks early for symbols to which only the runtime objects refer, as these may
 * come after the libraries. */
static void ask_early(struct wm_additions *add, const struct wm_program_info *o)
{
	char *path = wm_strf("%s/wm-mpi-static.needs", wm_home()->lib);
	FILE *f = NULL;
	char line[128];

	if (o->is_static && o->mpi != WM_MPI_NONE)
		f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		wm_additions_ask(add, line);
	}
	if (f)
		fclose(f);
	free(path);
}

/* Cray's drivers have a list of packages for all languages, and one for
 * Fortran. */
static void add_ftn(struct wm_additions *add)
{
	size_t n = sizeof(mpi_in_fortran) / sizeof(*mpi_in_fortran);

	for (size_t i = 0; i < n; i++) {
		const char *name = wm_mpi_symbol_names[mpi_in_fortran[i]];

		wm_strv_addf(&add->first, "--wrap=%s", name);
		wm_additions_ask(add, name);
	}
}

/* Prints flags without objects and libraries, which --libs may repeat. */
static void print_ldflags(struct request *r)
{
	struct wm_strv words = { 0 };

	wm_strv_split(&words, "--eh-frame-hdr --build-id");
	print_linker(r, &words);
	wm_strv_release(&words);
}

static void print_flags(struct request *r)
{
	struct wm_additions add = { 0 };
	const char *why = NULL;

	if (r->ftn)
		add_ftn(&add);
	else
		why = wm_additions_choose(&add, &r->program, NULL);
	if (why)
		wm_die("%s: '%s'", why, wm_home()->lib);
	if (!r->ftn)
		ask_early(&add, &r->program);
	/* wmcc wraps uses of handles only where it has found them */
	if (r->program.is_static && r->program.mpi != WM_MPI_NONE)
		wm_strv_add(&add.first,
			    "--defsym=wm_handles_unseen=wm_mpi_present");
	if (r->pre)
		print_linker(r, &add.first);
	if (r->post)
		print_linker(r, &add.last);
	wm_additions_release(&add);
}

/* Paths are relative to the file, so that an installation can be moved.  The
 * linker takes objects in any place; -u asks for the allocator. */
static void print_pkg_config(struct request *r)
{
	const struct wm_program_info *o = &r->program;

	printf("# Memory tracing: the program that is linked with these flags"
	       " is traced.\n"
	       "objects=${pcfiledir}/../wmtools\n\n"
	       "Name: wmtools%s%s%s%s%s%s\n"
	       "Description: memory tracing for %s programs\n"
	       "Version: " WM_VERSION "\n"
	       "Cflags: -I${objects}/include\n"
	       "Libs:",
	       o->mpi == WM_MPI_NONE	 ? "" :
	       o->mpi == WM_MPI_STANDARD ? "-abi" :
					   "-mpi",
	       r->ftn ? "-ftn" : "", o->mpi_fortran ? "-fortran" : "",
	       o->new_bypasses ? "-new" : "",
	       o->threads && !o->is_static ? "-threads" : "",
	       o->is_static ? "-static" : "",
	       o->is_static ? "static" : "dynamic");
	r->separator = " ";
	r->pre = r->post = true;
	print_flags(r);
	putchar('\n');
	r->pre = r->post = false;
	r->separator = "";
}

/* Prints wm.conf with our path, as the output may be copied elsewhere. */
static void print_profile(void)
{
	char *path = wm_strf("%s/wm.conf", wm_home()->lib);
	FILE *f = fopen(path, "r");
	char line[256];

	if (!f)
		wm_die("cannot read '%s'", path);
	while (fgets(line, sizeof(line), f)) {
		if (wm_starts(line, "wm_config="))
			printf("wm_config='%s/bin/wm-config'\n",
			       wm_home()->prefix);
		else
			fputs(line, stdout);
	}
	fclose(f);
	free(path);
}

/* Returns false for options that print something. */
static bool note_option(struct request *r, const char *arg)
{
	if (!strcmp(arg, "--static"))
		r->program.is_static = true;
	else if (!strcmp(arg, "--mpi") || !strcmp(arg, "--mpi=mpich") ||
		 !strcmp(arg, "--mpi=ompi"))
		r->program.mpi = WM_MPI_MPICH; /* the shim finds out */
	else if (!strcmp(arg, "--mpi=abi"))
		r->program.mpi = WM_MPI_STANDARD;
	else if (!strcmp(arg, "--fortran"))
		r->program.mpi_fortran = true;
	else if (!strcmp(arg, "--ftn"))
		r->ftn = true;
	else if (!strcmp(arg, "--new"))
		r->program.new_bypasses = true;
	else if (!strcmp(arg, "--aligned"))
		r->program.aligned_alone = true;
	else if (!strcmp(arg, "--threads"))
		r->program.threads = true;
	else if (!strcmp(arg, "--pre-ld-flags"))
		r->pre = true;
	else if (!strcmp(arg, "--post-ld-flags"))
		r->post = true;
	else if (!strcmp(arg, "--libs"))
		r->pre = r->post = true;
	else if (!strcmp(arg, "--ldflags"))
		r->flags = true;
	else if (!strcmp(arg, "--pkg-config"))
		r->pc = true;
	else
		return false;
	return true;
}

static char *answer_option(const char *arg)
{
	const struct wm_home *home = wm_home();

	if (!strcmp(arg, "--cflags"))
		return wm_strf("-I%s/include", home->lib);
	if (!strcmp(arg, "--prefix"))
		return wm_strdup(home->prefix);
	if (!strcmp(arg, "--libdir"))
		return wm_strdup(home->lib);
	if (!strcmp(arg, "--fortran-module"))
		return wm_strf("%s/include/wm/wmtrace.f90", home->lib);
	if (!strcmp(arg, "--pkg-config-path"))
		return wm_strf("%s/lib/pkgconfig", home->prefix);
	if (!strcmp(arg, "--version") || !strcmp(arg, "-V"))
		return wm_strdup(WM_VERSION);
	return NULL;
}

int wm_config(char **argv)
{
	struct request r = { .separator = "" };
	char *flags;

	wm_message_name("wm-config");
	if (!*argv)
		fputs(usage, stdout);
	for (; *argv; argv++) {
		if (!strcmp(*argv, "--help") || !strcmp(*argv, "-h")) {
			fputs(usage, stdout);
			return fflush(stdout) ? WM_EXIT_OWN : 0;
		}
		if (note_option(&r, *argv))
			continue;
		if (!strcmp(*argv, "--profile")) {
			print_profile();
			continue;
		}
		flags = answer_option(*argv);
		if (!flags)
			wm_die("'%s' is not an option: see wm-config --help",
			       *argv);
		print_flag(&r, flags);
		free(flags);
	}
	if (r.flags)
		print_ldflags(&r);
	describe_program(&r.program);
	if (r.pc)
		print_pkg_config(&r);
	else if (r.pre || r.post)
		print_flags(&r);
	if (*r.separator)
		putchar('\n');
	return fflush(stdout) ? WM_EXIT_OWN : 0;
}
