/* SPDX-License-Identifier: Apache-2.0 */
/* The reason in what linkers print when they fail. */
#include <stdlib.h>
#include <string.h>

#include "wmcc/link/linker.h"

#include "tests/unit/tap.h"

static void reason_is(const char *what, const char *text, const char *wanted)
{
	char *got = wm_linker_reason(text);

	ok(!strcmp(got, wanted), "%s: %s", what, got);
	free(got);
}

int main(void)
{
	tap_plan(9);
	reason_is(
		"bfd, a relocation",
		"/usr/bin/ld: wm-dynamic.o: in function `wm_followed_begin':\n"
		"followed.c:(.text+0x2e0d5): failed to convert GOTPCREL "
		"relocation against '_end'; relink with --no-relax\n",
		"followed.c:(.text+0x2e0d5): failed to convert GOTPCREL "
		"relocation against '_end'; relink with --no-relax");
	reason_is("bfd, warnings before it",
		  "/usr/bin/ld: libc.a(dl.o): definition of malloc\n"
		  "/usr/bin/ld: libc.a(a.o): in function `x':\n"
		  "(.text+0x3bd): warning: Using 'dlopen' cannot work\n"
		  "/usr/bin/ld: error.o: in function `main':\n"
		  "a.c:(.text+0x6): relocation truncated to fit: R_X86_64_PC32 "
		  "against symbol `x' defined in COMMON section in a.o\n"
		  "collect2: error: ld returned 1 exit status\n",
		  "a.c:(.text+0x6): relocation truncated to fit: R_X86_64_PC32 "
		  "against symbol `x' defined in COMMON section in a.o");
	reason_is("bfd, undefined",
		  "ld: a.o: in function `main':\n"
		  "a.c:(.text+0x5): undefined reference to `f'\n",
		  "a.c:(.text+0x5): undefined reference to `f'");
	reason_is("bfd, twice",
		  "ld: b.o: in function `f':\n"
		  "(.text+0x0): multiple definition of `f'; a.o:(.text+0x0): "
		  "first defined here\n",
		  "(.text+0x0): multiple definition of `f'; a.o:(.text+0x0): "
		  "first defined here");
	reason_is("bfd, a folder",
		  "ld: cannot find -lnowhere: No such file or directory\n",
		  "ld: cannot find -lnowhere: No such file or directory");
	reason_is("lld",
		  "a.o: reference to malloc\n"
		  "ld.lld: error: undefined symbol: f\n"
		  ">>> referenced by a.c\n",
		  "ld.lld: error: undefined symbol: f");
	reason_is("gold",
		  "ld.gold: warning: hidden symbol 'x'\n"
		  "a.o:a.c:function main: error: undefined reference to 'f'\n",
		  "a.o:a.c:function main: error: undefined reference to 'f'");
	reason_is("nothing that is a reason", "ld: warning: odd\n",
		  "ld: warning: odd");
	reason_is("nothing at all", "", "");
	return tap_done();
}
