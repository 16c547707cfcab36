/* SPDX-License-Identifier: Apache-2.0 */
/* The linker's command line: what is understood, and how it is rewritten. */
#include <stdlib.h>
#include <string.h>

#include "wmcc/link/ldargs.h"

#include "tests/unit/tap.h"

static void scan(struct wm_ldargs *a, const char *line)
{
	struct wm_strv words = { 0 };

	wm_strv_split(&words, line);
	wm_ldargs_scan(a, words.v);
	wm_strv_release(&words);
}

static char *join(const struct wm_strv *s)
{
	char *text = wm_strdup(""), *more;

	for (size_t i = 0; i < s->n; i++) {
		more = wm_strf("%s%s%s", text, i ? " " : "", s->v[i]);
		free(text);
		text = more;
	}
	return text;
}

static void is_rewritten(const char *line, const char *wanted)
{
	struct wm_additions add = { 0 };
	struct wm_ldargs a;
	struct wm_strv cmd = { 0 };
	char *got;

	wm_strv_add(&add.keep, "dir/libx.so.1");
	wm_strv_add(&add.keep, "y");
	wm_strv_add(&add.first, "FIRST");
	wm_strv_add(&add.last, "LAST");
	scan(&a, line);
	wm_ldargs_rewrite(&a, "OUT", "RES", &add, &cmd);
	got = join(&cmd);
	ok(!strcmp(got, wanted), "rewritten: %s", line);
	if (strcmp(got, wanted))
		printf("# got:    %s\n# wanted: %s\n", got, wanted);
	free(got);
	wm_strv_release(&cmd);
	wm_strv_release(&add.first);
	wm_strv_release(&add.last);
	wm_strv_release(&add.keep);
	wm_ldargs_release(&a);
}

static void test_rewrite(void)
{
	is_rewritten("-o app a.o", "-o OUT FIRST a.o LAST");
	is_rewritten("-oapp a.o", "-o OUT FIRST a.o LAST");
	is_rewritten("--output=app a.o", "-o OUT FIRST a.o LAST");
	is_rewritten("a.o", "-o OUT FIRST a.o LAST");
	is_rewritten("a.o dir/libx.so.1 -lx -l y",
		     "-o OUT FIRST a.o --push-state --no-as-needed "
		     "dir/libx.so.1 --pop-state -lx --push-state "
		     "--no-as-needed -l y --pop-state LAST");
	is_rewritten("-static /x/crt1.o /x/crti.o /x/crtbeginT.o -L/x a.o -lc",
		     "-o OUT -static /x/crt1.o /x/crti.o /x/crtbeginT.o "
		     "FIRST -L/x a.o -lc LAST");
	is_rewritten("Scrt1.o crti.o crtbeginS.o a.o crtendS.o crtn.o",
		     "-o OUT Scrt1.o crti.o crtbeginS.o FIRST a.o crtendS.o "
		     "crtn.o LAST");
	is_rewritten("-lfoo a.o", "-o OUT FIRST -lfoo a.o LAST");
	is_rewritten("-l foo a.o", "-o OUT FIRST -l foo a.o LAST");
	is_rewritten("-s -Map=m -Map m --Map m -M --cref -t --trace a.o",
		     "-o OUT FIRST a.o LAST");
	is_rewritten("--dependency-file=d --dependency-file d --stats a.o",
		     "-o OUT FIRST a.o LAST");
	is_rewritten("-plugin p -plugin-opt=-fresolution=/tmp/x.res "
		     "-plugin-opt=-pass-through=-lc a.o",
		     "-o OUT -plugin p -plugin-opt=-fresolution=RES "
		     "-plugin-opt=-pass-through=-lc FIRST a.o LAST");
	is_rewritten("-rpath a.o -soname b.o -z now -m elf_x86_64 c.o",
		     "-o OUT -rpath a.o -soname b.o -z now -m elf_x86_64 "
		     "FIRST c.o LAST");
	is_rewritten("-y main --trace-symbol=x -ymain a.o",
		     "-o OUT FIRST a.o LAST");
	is_rewritten("-e start --entry x --fatal-warnings -x -S a.o",
		     "-o OUT -e start --entry x FIRST a.o LAST");
	is_rewritten("-T s.ld -Ts.ld --defsym=a=b --defsym a=b a.o",
		     "-o OUT -T s.ld -Ts.ld --defsym=a=b --defsym a=b "
		     "FIRST a.o LAST");
	is_rewritten("--version-script v a.o",
		     "-o OUT --version-script v FIRST a.o LAST");
}

/* The same, for an @a that was used before. */
static void rescan(struct wm_ldargs *a, const char *line)
{
	wm_ldargs_release(a);
	scan(a, line);
}

static void test_scan(void)
{
	struct wm_ldargs a = { 0 };

	rescan(&a, "a.o");
	ok(!strcmp(a.output, "a.out"), "a.out without -o");
	ok(a.inputs && !a.other && !a.build_id, "a plain link");
	rescan(&a, "-shared a.o");
	ok(a.other, "-shared");
	rescan(&a, "-r a.o");
	ok(a.other, "-r");
	rescan(&a, "--relocatable a.o");
	ok(a.other, "--relocatable");
	rescan(&a, "-static -soname x a.o");
	ok(!a.other && !a.stripped, "-static and -soname are not -s");
	rescan(&a, "-rpath /x -relax a.o");
	ok(!a.other, "-rpath is not -r");
	rescan(&a, "--build-id a.o");
	ok(a.build_id, "--build-id");
	rescan(&a, "--build-id --build-id=none a.o");
	ok(!a.build_id, "--build-id=none");
	rescan(&a, "-s a.o");
	ok(a.stripped, "-s");
	rescan(&a, "--strip-all a.o");
	ok(a.stripped, "--strip-all");
	rescan(&a, "-Map m a.o");
	ok(a.map && !strcmp(a.map, "m") && a.map_wanted, "-Map m");
	rescan(&a, "-M a.o");
	ok(!a.map && a.map_wanted, "-M");
	rescan(&a, "-Map=- a.o");
	ok(!a.map && a.map_wanted, "-Map=-");
	rescan(&a, "-o conftest a.o");
	ok(a.probe, "conftest");
	rescan(&a, "-o x dir/conftest.o");
	ok(a.probe, "conftest.o");
	rescan(&a, "sanitycheckcpp.cc -o sanitycheckcpp.exe");
	ok(a.probe, "Meson's sanity check");
	rescan(&a, "b/meson-private/tmp1/testfile.c -o b/meson-private/tmp1/o");
	ok(a.probe, "Meson's other checks");
	rescan(&a, "-o conftest.d/x a.o");
	ok(!a.probe, "a folder's name does not count");
	rescan(&a, "-o cmTC_00aa a.o");
	ok(a.probe, "cmTC_00aa");
	rescan(&a, "a.o -lasan");
	ok(a.sanitizer, "-lasan");
	rescan(&a, "a.o /x/libclang_rt.asan-x86_64.a");
	ok(a.sanitizer, "clang's asan");
	rescan(&a, "a.o -lubsan_standalone");
	ok(!a.sanitizer, "undefined behaviour: malloc stays");
	rescan(&a, "a.o -lasantos /x/libclang_rt.builtins-x86_64.a");
	ok(!a.sanitizer, "other libraries");
	rescan(&a, "-T /dev/stdin a.o --version-script=/dev/fd/3 -o /dev/x");
	ok(a.streams.n == 2 && !strcmp(a.streams.v[0], "/dev/stdin") &&
		   !strcmp(a.streams.v[1], "/dev/fd/3"),
	   "what is read of /dev, and not what is written");
	rescan(&a, "a.o -T x -T/dev/fd/4 -L /dev/fd -l /dev/x");
	ok(a.streams.n == 1, "-Tfile, and no folder or library");
	rescan(&a, "--version");
	ok(a.other, "--version");
	rescan(&a, "-v");
	ok(!a.inputs, "-v alone");
	wm_ldargs_release(&a);
}

static void test_split(void)
{
	struct wm_strv s = { 0 };

	wm_strv_split(&s, " a\t'b c' \"d\\\"e\" f\\ g '' h'i'j\n");
	ok(s.n == 6, "words: %zu", s.n);
	ok(!strcmp(s.v[1], "b c"), "single quotes");
	ok(!strcmp(s.v[2], "d\"e"), "double quotes");
	ok(!strcmp(s.v[3], "f g"), "backslash");
	ok(!*s.v[4], "an empty word");
	ok(!strcmp(s.v[5], "hij"), "quotes inside a word");
	wm_strv_release(&s);
}

int main(void)
{
	tap_plan(51);
	test_split();
	test_scan();
	test_rewrite();
	return tap_done();
}
