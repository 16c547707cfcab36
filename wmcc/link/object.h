/* SPDX-License-Identifier: Apache-2.0 */
/* The symbols and relocations of a relocatable object (machine.c).  The bytes
 * belong to the caller, and must be aligned as malloc() aligns. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wmcc/base/machine.h"

/* All tables are in @bytes. */
struct wm_elf_object {
	uint8_t *bytes;
	size_t size;
	const struct wm_machine *machine;
	Elf64_Shdr *sections;
	size_t section_count;
	const char *names; /* of sections; ends with a zero */
	size_t names_size;
	Elf64_Shdr *symtab, *strtab;
	Elf64_Sym *symbols;
	size_t symbol_count;
	const char *strings;
};

/* Returns 0, or -1 if the bytes are not such an object, or are damaged. */
int wm_object_open(struct wm_elf_object *o, uint8_t *bytes, size_t size);

/* Returns whether the section's bytes are inside the object. */
bool wm_object_has(const struct wm_elf_object *o, const Elf64_Shdr *s);

/* Returns the name of symbol @i, or "". */
const char *wm_object_symbol(const struct wm_elf_object *o, size_t i);

struct wm_symbol_rename {
	const char *was;
	char *is;
};

/* Renames symbols in place.  The new name must have the length of the old name.
 * Returns the number of renamed symbols, or -1 for another file, or if names
 * share bytes. */
long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n);

/* Numbers in the index of an archive have eight bytes if it is @wide. */
void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n);
