/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wm-census: prints the bundle of a program that was not relinked, for
 * wm-analyze (static memory of preloaded programs) and for users.
 *
 * --static leaves out functions, lines and the debug information of large
 * programs, as they take long.  Status 3: the program cannot be preloaded.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wm/version.h"

#include "wmcc/census/census.h"
#include "wmcc/link/program_info.h"
#include "wmcc/base/file.h"
#include "wmcc/base/subprocess.h"

#define EXIT_NOT_PLAIN 3
/* Reading debug information of larger programs takes more than a second. */
#define QUICK_BYTES (32u << 20)

static const char usage[] =
	"usage: wm-census [--static] PROGRAM >RUN/program.wmc.xz\n"
	"\n"
	"Print the census of static memory, and functions and lines, of a dynamic\n"
	"program that was not relinked.\n"
	"\n"
	"  --static     no functions and no lines\n"
	"  -h, --help   this text\n"
	"  -V, --version\n"
	"\n"
	"After a run by wm-run, so that it can be analyzed elsewhere:\n"
	"  wm-census app >app.host-4711.wm/program.wmc.xz\n";

static bool is_option(const char *arg, const char *name, const char *letter)
{
	return !strcmp(arg, name) || !strcmp(arg, letter);
}

static int refuse_program(const char *program, const char *why)
{
	wm_say("'%s' is %s", program, why);
	return EXIT_NOT_PLAIN;
}

int main(int argc, char **argv)
{
	bool only_static = argc == 3 && !strcmp(argv[1], "--static");
	enum wm_census_extent what = WM_CENSUS_WHOLE;
	struct wm_census_input in = { 0 };
	struct wm_program_info o;
	struct stat st;
	uint8_t *bytes;
	char err[512];
	size_t n;

	wm_descriptors_reserve();
	wm_message_name("wm-census");
	if (argc == 2 && is_option(argv[1], "--help", "-h"))
		return fputs(usage, stdout) < 0;
	if (argc == 2 && is_option(argv[1], "--version", "-V"))
		return puts("wm-census " WM_VERSION) < 0;
	if (argc == 2 && argv[1][0] == '-')
		wm_die("'%s' is not an option: see wm-census --help", argv[1]);
	if (argc != 2 && !only_static)
		wm_die("not one program: see wm-census --help");
	in.plain = in.twin = argv[argc - 1];
	if (wm_program_info_read(&o, in.plain, err, sizeof(err)) < 0)
		wm_die("'%s': %s", in.plain, err);
	if (o.relinked)
		return refuse_program(in.plain,
				      "relinked: its census is in it");
	if (o.is_static)
		return refuse_program(in.plain, "static: relink it with wmcc");
	if (only_static)
		what = !stat(in.plain, &st) && st.st_size > QUICK_BYTES ?
			       WM_CENSUS_SIZES :
			       WM_CENSUS_STATIC;
	if (wm_census_make(&in, what, &bytes, &n, err, sizeof(err)))
		wm_die("%s", err);
	if (*err)
		wm_say("'%s': %s", in.plain, err);
	if (!wm_write_all(STDOUT_FILENO, bytes, n))
		wm_die("standard output: %s", strerror(errno));
	free(bytes);
	return 0;
}
