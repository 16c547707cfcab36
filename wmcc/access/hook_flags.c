/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/access/hook_flags.h"

#include <stdlib.h>
#include <string.h>

#include "wmcc/base/args.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/home.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Options that write files, count runs, or make no object.  Options of
 * link-time optimization are among them, as a hooked object takes no part in
 * it. */
static const char dropped[] =
	"-c --compile -MD -MMD -MP -MG -MV --coverage -fprofile-arcs "
	"-ftest-coverage -fcoverage-mapping -v -emit-llvm";
static const char dropped_prefix[] =
	"-save-temps --save-temps -gsplit-dwarf -fopt-info -fdump- "
	"-ftime-trace -flto -ffat-lto-objects -fprofile-generate "
	"-fprofile-instr-generate -fcs-profile-generate -Wp,-M -Wa,-a "
	"-fsave-optimization-record -foptimization-record-file= --output= -MF "
	"-MT -MQ -MJ -fthinlto-index= -fcrash-diagnostics "
	"-fdiagnostics-format= -fmodule-output";
static const char dropped_pair[] =
	"-o --output -MF -MT -MQ -MJ -aux-info -dumpbase -dumpdir "
	"-dumpbase-ext -serialize-diagnostics --serialize-diagnostics";

static const char gcc_flags[] =
	"-fsanitize=thread "
	/* programs that test this macro call functions that wmtools lacks */
	"-U__SANITIZE_THREAD__ -Wno-tsan "
	/* makes block operations calls, which are recorded (block_calls.c) */
	"-fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset "
	"-mmemset-strategy=libcall:-1:noalign "
	"-mmemcpy-strategy=libcall:-1:noalign";
static const char clang_flags[] =
	"-fsanitize=thread "
	/* without this option the read of x += 1 has no hook */
	"-mllvm -tsan-instrument-read-before-write=1 -Qunused-arguments";

static enum wm_hook_family ask_compiler(const struct wm_strv *words)
{
	struct wm_command run = { .no_stdin = true, .no_stderr = true };
	enum wm_hook_family family = WM_HOOKS_NONE;
	struct wm_strv cmd = { 0 };
	char *text;

	wm_strv_addv(&cmd, words->v);
	wm_strv_add(&cmd, "--version");
	run.argv = cmd.v;
	run.out = wm_capture_open();
	if (run.out >= 0)
		wm_child_run(&run);
	text = wm_capture_read(run.out);
	if (strstr(text, "clang version"))
		family = WM_HOOKS_CLANG;
	else if (strstr(text, "Free Software Foundation"))
		family = WM_HOOKS_GCC;
	free(text);
	wm_strv_release(&cmd);
	return family;
}

enum wm_hook_family wm_hook_family(const struct wm_strv *words,
				   const char *bytes, size_t size)
{
	static const char bitcode[] = "BC\xc0\xde", clang[] = "clang version ",
			  gcc[] = "GCC: (";
	bool by_clang, by_gcc;

	if (size > 4 && !memcmp(bytes, bitcode, 4))
		return WM_HOOKS_CLANG;
	by_clang = memmem(bytes, size, clang, sizeof(clang) - 1);
	by_gcc = memmem(bytes, size, gcc, sizeof(gcc) - 1);
	/* strings of the program itself may look like these */
	if (by_clang == by_gcc)
		return ask_compiler(words);
	return by_clang ? WM_HOOKS_CLANG : WM_HOOKS_GCC;
}

bool wm_hook_has_sanitizer(const struct wm_compile *c)
{
	static const char *const names[] = { "address", "thread", "leak",
					     "memory",	"type",	  "realtime" };
	bool on[COUNT(names)] = { 0 }, any = false;

	for (size_t i = 0; i < c->args.n; i++) {
		const char *arg = c->args.v[i];
		bool set = wm_starts(arg, "-fsanitize=");

		if (!set && !wm_starts(arg, "-fno-sanitize="))
			continue;
		for (size_t k = 0; k < COUNT(names); k++)
			if (strstr(arg, names[k]) || strstr(arg, "=all"))
				on[k] = set;
	}
	for (size_t k = 0; k < COUNT(names); k++)
		any |= on[k];
	return any;
}

const char *wm_hook_clash(const struct wm_compile *c, size_t i)
{
	const char *path = c->sources[i].path;

	for (size_t k = 0; k < c->args.n; k++) {
		const char *arg = c->args.v[k], *value = c->args.v[k + 1];

		if (!strcmp(arg, "-fmodules-ts") || !strcmp(arg, "-fmodules"))
			return "modules of C++ would be written twice "
			       "(without -fmodules and -fmodules-ts)";
		if (!value)
			break;
		if ((!strcmp(arg, "-Xpreprocessor") ||
		     !strcmp(arg, "-Xclang")) &&
		    (wm_starts(value, "-M") ||
		     wm_starts(value, "-dependency-")))
			return "its dependency file would be written twice "
			       "(-MMD -MF FILE, without -Xpreprocessor or "
			       "-Xclang)";
	}
	if (!strcmp(path, "-") || !wm_is_regular(path) ||
	    wm_starts(path, "/dev/"))
		return "its source can be read only once (name a file)";
	return NULL;
}

/* Replaces -J by -I: modules are read from the user's folder, and written to
 * the work folder.  Returns the words of the option, or 0 for another
 * option. */
static size_t module_option(struct wm_strv *cmd, char *const *arg)
{
	size_t n;

	if (!wm_starts(arg[0], "-J"))
		return 0;
	n = !arg[0][2] && arg[1] ? 2 : 1;
	wm_strv_addf(cmd, "-I%s", n == 2 ? arg[1] : arg[0] + 2);
	return n;
}

/* Returns how many words at @arg the second compile must not have. */
static size_t dropped_words(char *const *arg)
{
	if (arg[1] && wm_equals_any(*arg, dropped_pair))
		return 2;
	if (wm_equals_any(*arg, dropped) || wm_starts_any(*arg, dropped_prefix))
		return 1;
	/* -oFILE; options such as -objc are not needed either */
	return wm_starts(*arg, "-o") ? 1 : 0;
}

static void add_users(struct wm_strv *cmd, const struct wm_compile *c,
		      const struct wm_hook_source *s)
{
	size_t n;

	for (size_t i = 0; i < c->args.n; i += n) {
		char *const *arg = c->args.v + i;

		n = s->fortran ? module_option(cmd, arg) : 0;
		if (!n)
			n = dropped_words(arg);
		if (n)
			continue;
		n = **arg == '-' && (*arg)[1] && wm_arg_takes_value(*arg) &&
				    arg[1] ?
			    2 :
			    1;
		/* the only input is the source */
		if ((**arg != '-' || !(*arg)[1]) && i != s->at)
			continue;
		for (size_t k = 0; k < n; k++)
			wm_strv_add(cmd, arg[k]);
	}
}

void wm_hook_command(struct wm_strv *cmd, const struct wm_compile *c, size_t i,
		     enum wm_hook_family family, const char *work,
		     const char *file)
{
	wm_strv_addv(cmd, c->words.v);
	add_users(cmd, c, &c->sources[i]);
	wm_strv_split(cmd, family == WM_HOOKS_GCC ? gcc_flags : clang_flags);
	wm_strv_split(cmd, "-fno-lto -w");
	if (c->sources[i].fortran) {
		/* the default of -J */
		wm_strv_add(cmd, "-I.");
		wm_strv_addf(cmd, "-J%s", work);
	}
	wm_strv_split(cmd, "-c -o");
	wm_strv_add(cmd, file);
}
