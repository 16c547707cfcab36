/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/machine.h"

#include <elf.h>
#include <stddef.h>

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#else
#error "docs/porting.md: this processor is not in the table of machines"
#endif

static const unsigned x86_64_relative[] = {
	R_X86_64_PC32,	    R_X86_64_PLT32,	    R_X86_64_GOTPCREL,
	R_X86_64_GOTPCRELX, R_X86_64_REX_GOTPCRELX, 0,
};
static const unsigned x86_64_absolute[] = { R_X86_64_64, R_X86_64_32,
					    R_X86_64_32S, 0 };

static const struct wm_machine machines[] = {
	{
		.number = EM_X86_64,
		.name = "x86-64",
		.folder = "x86_64-linux-gnu",
		.first_libc = "GLIBC_2.2.5",
		.unwind_section = SHT_X86_64_UNWIND,
		.relative = x86_64_relative,
		.absolute = x86_64_absolute,
		/* counts from the end of the field */
		.relative_addend = -4,
	},
};

const struct wm_machine *wm_machine_find(int number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

const struct wm_machine *wm_machine_own(void)
{
	return wm_machine_find(OWN_MACHINE);
}

static bool has(const unsigned *types, unsigned type)
{
	while (*types && *types != type)
		types++;
	return *types;
}

bool wm_machine_means_start(const struct wm_machine *m, unsigned type,
			    int64_t addend)
{
	if (has(m->relative, type))
		return addend == m->relative_addend;
	return has(m->absolute, type) && addend == 0;
}
