/* SPDX-License-Identifier: Apache-2.0 */
/* For each address near the bounds of each symbol the symbol table agrees with
 * libdwfl: for this program, with functions that are made to be odd, and for
 * the C library. */
#include "analyze/symbols/symbol_table.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/tap.h"

/* Functions with two names, in each other, labels without a size in one, behind
 * one and alone, and bytes of no function. */
__asm__(".pushsection .text\n"
	".skip 64, 0x90\n"
	".globl strong_name\n.weak weak_name\n"
	".type strong_name, @function\n.type weak_name, @function\n"
	".type local_name, @function\n"
	"local_name: weak_name: strong_name: .skip 32, 0x90\n"
	".size strong_name, 32\n.size weak_name, 32\n.size local_name, 32\n"
	".skip 16, 0x90\n"
	".type outer, @function\nouter: .skip 8, 0x90\n"
	"label_in_it: .skip 8, 0x90\n"
	".type within, @function\nwithin: .skip 8, 0x90\n.size within, 8\n"
	".skip 8, 0x90\n.size outer, 32\n"
	".skip 8, 0x90\n"
	".type tail, @function\ntail: .skip 8, 0x90\n"
	"label_in_tail: .skip 8, 0x90\n.size tail, 16\n"
	".skip 16, 0x90\n"
	"label_behind: .skip 8, 0x90\n"
	"label_last: .skip 24, 0x90\n"
	".type small, @function\n.type large, @function\n"
	"large: small: .skip 16, 0x90\n.size small, 16\n"
	".skip 16, 0x90\n.size large, 32\n"
	".popsection\n");

struct tally {
	struct wm_symbol_table table;
	long asked, differ, odd;
};

static void ask(struct tally *t, Dwfl_Module *mod, uint64_t address)
{
	uint64_t begin = 0;
	GElf_Off offset = 0;
	GElf_Sym sym;
	const char *ours = wm_symbol_table_at(&t->table, mod, address, &begin);
	const char *theirs = dwfl_module_addrinfo(mod, address, &offset, &sym,
						  NULL, NULL, NULL);
	/* begin is asked for only where there is a name */
	int same = ours && theirs ? strcmp(ours, theirs) == 0 &&
					    begin == address - offset :
				    ours == theirs;

	t->asked++;
	t->differ += !same;
	if (!same && t->differ < 10)
		printf("# %#" PRIx64 ": %s %#" PRIx64 ", libdwfl %s %#" PRIx64
		       "\n",
		       address, ours ? ours : "-", begin, theirs ? theirs : "-",
		       address - offset);
	if (ours && (strncmp(ours, "label_", 6) == 0 ||
		     strcmp(ours, "within") == 0 || strcmp(ours, "small") == 0))
		t->odd++;
}

/* Ask for each symbol, or every @step-th, of module @mod. */
static void ask_all(struct tally *t, Dwfl_Module *mod, int step)
{
	int n = dwfl_module_getsymtab(mod);

	for (int i = 0; i < n; i += step) {
		GElf_Addr at;
		GElf_Sym sym;
		const char *name = dwfl_module_getsym_info(mod, i, &sym, &at,
							   NULL, NULL, NULL);

		/* of code */
		if (!name || sym.st_shndx == SHN_UNDEF ||
		    (GELF_ST_TYPE(sym.st_info) != STT_FUNC &&
		     strncmp(name, "label_", 6) != 0))
			continue;
		ask(t, mod, at - 1);
		ask(t, mod, at);
		ask(t, mod, at + 1);
		ask(t, mod, at + sym.st_size / 2);
		ask(t, mod, at + sym.st_size - 1);
		ask(t, mod, at + sym.st_size);
		ask(t, mod, at + sym.st_size + 5);
	}
}

static int each_module(Dwfl_Module *mod, void **user, const char *name,
		       Dwarf_Addr base, void *arg)
{
	struct tally *t = arg;

	(void)user;
	(void)base;
	if (strstr(name, "test_symbol_table"))
		ask_all(&t[0], mod, 1);
	else if (strstr(name, "libc.so"))
		ask_all(&t[1], mod, 7);
	return DWARF_CB_OK;
}

int main(void)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &debug_path,
	};
	struct tally t[2] = { { .asked = 0 } };
	Dwfl *dwfl = dwfl_begin(&callbacks);

	tap_plan(5);
	ok(dwfl && dwfl_linux_proc_report(dwfl, getpid()) == 0 &&
		   dwfl_report_end(dwfl, NULL, NULL) == 0,
	   "the modules of this process are known");
	dwfl_getmodules(dwfl, each_module, t, 0);
	ok(t[0].asked > 100 && t[0].differ == 0,
	   "this program: %ld of %ld addresses differ", t[0].differ,
	   t[0].asked);
	ok(t[0].odd > 10, "odd functions are among them: %ld", t[0].odd);
	ok(t[1].asked > 500 && t[1].differ == 0,
	   "the C library: %ld of %ld addresses differ", t[1].differ,
	   t[1].asked);
	wm_symbol_table_release(&t[0].table);
	wm_symbol_table_release(&t[1].table);
	ok(t[0].table.count == 0, "a table that is released is empty");
	dwfl_end(dwfl);
	return tap_done();
}
