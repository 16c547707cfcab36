/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic section of a file that the loader has mapped. */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* The ELF header in the first segment; every linker defines this symbol. */
extern const ElfW(Ehdr) __ehdr_start
	__attribute__((weak, visibility("hidden")));

/* The addresses of a file's segments, and all between them. */
struct wm_file_range {
	uintptr_t from, to;
};

static inline struct wm_file_range wm_file_range(const ElfW(Phdr) * ph,
						 size_t count, uintptr_t bias)
{
	struct wm_file_range r = { UINTPTR_MAX, 0 };

	for (size_t i = 0; i < count; i++) {
		uintptr_t at = bias + ph[i].p_vaddr;

		if (ph[i].p_type != PT_LOAD)
			continue;
		r.from = at < r.from ? at : r.from;
		r.to = at + ph[i].p_memsz > r.to ? at + ph[i].p_memsz : r.to;
	}
	return r;
}

struct wm_dynamic {
	const ElfW(Sym) * sym;
	const char *str;
	const uint32_t *gnu, *sysv; /* tables of names */
	ElfW(Half) * version; /* of each symbol */
	const ElfW(Rela) * rela, *plt;
	size_t relas, plts;
	/* the first so many entries of rela have no symbol */
	size_t relative;
	const struct r_debug *debug;
};

/* Reads the section @d.  Members for which the section has no entry become
 * zero.  @bias is the distance between the addresses at which the file is
 * loaded and for which it was linked. */
void wm_dynamic_read(uintptr_t bias, const ElfW(Dyn) * d,
		     struct wm_dynamic *t) wm_hidden;
/* Returns the number of the symbol that is defined with that name, or 0.
 * Searches only a DT_GNU_HASH table. */
uint32_t wm_dynamic_symbol(const struct wm_dynamic *t,
			   const char *name) wm_hidden;
/* Returns the loader's list of files, or NULL.  Stores the executable's
 * bias. */
const struct r_debug *wm_loader_list(uintptr_t *bias) wm_hidden;
/* Returns the file that contains this function, or NULL. */
const struct link_map *wm_own_module(void) wm_hidden;
/* Returns whether the file of @map defines a symbol with that name and, unless
 * @at is NULL, with that address. */
bool wm_module_defines(const struct link_map *map, const char *name,
		       const void *at) wm_hidden;
