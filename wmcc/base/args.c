/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/args.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char not_link[] =
	"-c -S -E -M -MM -fsyntax-only -### --version --help -help "
	"-dumpversion -dumpmachine -dumpspecs -dumpfullversion -shared "
	"--shared -r -dynamiclib -mdll -emit-ast --analyze --compile "
	"--preprocess --assemble";
static const char not_link_prefix[] = "--help= -print- --print- -dM";

/* Options in the lists above with which -c still makes objects. */
static const char not_link_object[] =
	"-c --compile -shared --shared -r -dynamiclib -mdll";

static const char with_value[] =
	"-I -L -l -D -U -x -T -u -z -e -J -A -F -G -R -Xlinker -Xassembler "
	"-Xpreprocessor -Xclang -mllvm -include -imacros -isystem -idirafter "
	"-iquote -iprefix -iwithprefix -iwithprefixbefore -isysroot "
	"-imultilib -MF -MT -MQ -MJ -aux-info --param -wrapper -dumpbase "
	"-dumpdir -dumpbase-ext -soname -rpath -arch -Xarch_host -Xcuda-ptxas "
	"-ccc-gcc-name -serialize-diagnostics -module -plugin-arg "
	"--dyld-prefix --output-class-directory";

/* Options that choose the linker, or another compiler altogether. */
static const char select_alone[] = "-m32 -m64 -mx32";
static const char select_prefix[] =
	"-fuse-ld= --ld-path= --target= --gcc-toolchain= --sysroot= --config= "
	"-specs= --specs= --prefix=";
static const char select_value[] =
	"-B -target --sysroot --prefix --config -gcc-toolchain";

/* autoconf, CMake, Meson, zlib, Python, cgo */
static const char probe_names[] =
	"conftest cmTC_ sanitycheckc sanitycheckf ztest _configtest _cgo_.o";
/* Meson, SCons, waf, qmake, CMake */
static const char *const probe_folders[] = {
	"meson-private/", ".sconf_temp/",	  ".conf_check_",
	"config.tests/",  "CMakeFiles/CMakeTmp/", "CMakeFiles/CMakeScratch/",
};

bool wm_is_probe(const char *path)
{
	const char *base = wm_basename(path);

	if (wm_starts_any(base, probe_names))
		return true;
	for (size_t i = 0; i < COUNT(probe_folders); i++) {
		if (strstr(path, probe_folders[i]))
			return true;
	}
	return wm_starts(base, "CMake") && strstr(base, "CompilerId");
}

/* Returns whether @path is absolute, and directly in TMPDIR. */
static bool is_temporary(const char *path)
{
	const char *dir = getenv("TMPDIR");
	size_t n;

	if (!dir || *dir != '/')
		dir = "/tmp";
	n = strlen(dir);
	while (n > 1 && dir[n - 1] == '/')
		n--;
	return !strncmp(path, dir, n) && path[n] == '/' &&
	       !strchr(path + n + 1, '/');
}

bool wm_arg_takes_value(const char *arg)
{
	return !strcmp(arg, "-o") || !strcmp(arg, "--output") ||
	       wm_equals_any(arg, with_value) ||
	       wm_equals_any(arg, select_value);
}

static bool is_object(const char *path)
{
	const char *dot = strrchr(path, '.');

	return strstr(path, ".so.") ||
	       (dot && wm_equals_any(dot, ".o .a .so .lo .la .obj .sl .ld .lds "
					  ".map"));
}

/* Returns the words of an option that chooses the linker, or 0. */
static size_t scan_select(struct wm_args *a, char *const *arg)
{
	if (wm_starts(*arg, "-fuse-ld="))
		a->fuse_ld = *arg + strlen("-fuse-ld=");
	if (wm_starts(*arg, "--ld-path="))
		a->ld_path = *arg + strlen("--ld-path=");
	if (arg[1] && wm_equals_any(*arg, select_value)) {
		wm_strv_add(&a->select, arg[0]);
		wm_strv_add(&a->select, arg[1]);
		return 2;
	}
	if (wm_starts(*arg, "-B") || wm_equals_any(*arg, select_alone) ||
	    wm_starts_any(*arg, select_prefix)) {
		wm_strv_add(&a->select, *arg);
		return 1;
	}
	return 0;
}

static void scan_input(struct wm_args *a, const char *arg, bool language)
{
	if (wm_is_probe(arg))
		a->probe = true;
	if (!strcmp(arg, "-") || !strcmp(arg, "/dev/null") || is_temporary(arg))
		a->quiet = true;
	if (language || !is_object(arg))
		a->sources = true;
}

static void scan_output(struct wm_args *a, const char *path)
{
	a->output = path;
	if (wm_is_probe(path))
		a->probe = true;
	if (is_temporary(path))
		a->quiet = true;
}

struct asked {
	bool no_link, ask, object, no_object;
};

/* Returns false if the option does not change the action. */
static bool scan_action(const char *arg, struct asked *all)
{
	if (wm_starts(arg, "-print-prog-name=ld") ||
	    wm_starts(arg, "--print-prog-name=ld"))
		all->ask = true;
	if (!wm_equals_any(arg, not_link) &&
	    !wm_starts_any(arg, not_link_prefix))
		return false;
	all->no_link = true;
	if (!strcmp(arg, "-c") || !strcmp(arg, "--compile"))
		all->object = true;
	if (!wm_equals_any(arg, not_link_object))
		all->no_object = true;
	return true;
}

void wm_args_scan(struct wm_args *a, char *const *fixed, char *const *argv)
{
	bool inputs = false, language = false;
	struct asked all = { 0 };
	size_t n;

	memset(a, 0, sizeof(*a));
	a->output = "a.out";
	for (; *fixed; fixed++) {
		if (scan_select(a, fixed) == 2)
			fixed++;
	}
	for (; *argv; argv++) {
		const char *arg = *argv;

		if (*arg != '-' || !arg[1]) {
			inputs = true;
			scan_input(a, arg, language);
		} else if (!strcmp(arg, "-o") || !strcmp(arg, "--output")) {
			if (argv[1])
				scan_output(a, *++argv);
		} else if (scan_action(arg, &all)) {
			continue;
		} else if (!strcmp(arg, "-show") || wm_starts(arg, "-showme")) {
			a->show = true;
		} else if ((n = scan_select(a, argv)) > 0) {
			argv += n - 1;
		} else if (wm_equals_any(arg, with_value)) {
			if (!strcmp(arg, "-x"))
				language = true;
			if (!strcmp(arg, "-l"))
				inputs = true;
			if (argv[1])
				argv++;
		} else if (wm_starts(arg, "-x")) {
			language = true;
		} else if (wm_starts(arg, "-l")) {
			inputs = true;
		} else if (wm_starts(arg, "-o")) {
			scan_output(a, arg + 2);
		} else if (wm_starts(arg, "--output=")) {
			scan_output(a, strchr(arg, '=') + 1);
		}
	}
	a->compiles = all.object && !all.no_object;
	if (inputs && !all.no_link)
		a->action = WM_ACTION_LINK;
	else if (all.ask)
		a->action = WM_ACTION_ASK_LINKER;
}
