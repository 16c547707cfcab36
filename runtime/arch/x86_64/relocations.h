/* SPDX-License-Identifier: Apache-2.0 */
/* Relocations of a loaded file. */
#pragma once

#include <elf.h>
#include <stdbool.h>

/* Whether the loader stores a function's address there: for calls through the
 * PLT, and where the address is taken. */
static inline bool wm_reloc_is_function(unsigned type)
{
	return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
}
