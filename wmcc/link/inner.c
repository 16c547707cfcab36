/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/inner.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/link/object.h"

static size_t find_definition(const struct wm_elf_object *o, const char *name)
{
	for (size_t i = 1; i < o->symbol_count; i++) {
		const Elf64_Sym *s = &o->symbols[i];

		/* assembler sources may omit the type */
		if (ELF64_ST_BIND(s->st_info) != STB_LOCAL &&
		    (ELF64_ST_TYPE(s->st_info) == STT_FUNC ||
		     ELF64_ST_TYPE(s->st_info) == STT_NOTYPE) &&
		    s->st_shndx != SHN_UNDEF &&
		    !strcmp(wm_object_symbol(o, i), name))
			return i;
	}
	return 0;
}

/* Finds other functions, in which the named functions may be inlined, and parts
 * that the compiler has split from the named functions. */
static void look_around(const struct wm_elf_object *o, const char *const *names,
			size_t n, struct wm_inner_object *found)
{
	for (size_t i = 1; i < o->symbol_count; i++) {
		const Elf64_Sym *s = &o->symbols[i];
		const char *name = wm_object_symbol(o, i);
		bool other = true;

		if (ELF64_ST_TYPE(s->st_info) != STT_FUNC ||
		    s->st_shndx == SHN_UNDEF)
			continue;
		for (size_t k = 0; k < n; k++) {
			size_t m = strlen(names[k]);

			if (strncmp(name, names[k], m) != 0)
				continue;
			if (!name[m])
				other = false;
			else if (name[m] == '.')
				found->parts = true;
		}
		found->others |= other;
	}
}

/* Returns whether a section is code or data, and not a description of code. */
static bool is_program(const struct wm_elf_object *o, uint32_t section)
{
	const Elf64_Shdr *s;

	if (section >= o->section_count)
		return false;
	s = &o->sections[section];
	return s->sh_flags & SHF_ALLOC &&
	       s->sh_type != o->machine->unwind_section &&
	       s->sh_name < o->names_size &&
	       strncmp(o->names + s->sh_name, ".eh_frame", 9) != 0;
}

struct defined {
	size_t *symbol; /* definition of each name; 0: none */
	size_t n;
};

static bool is_in(const struct wm_elf_object *o, uint32_t section,
		  uint64_t offset, const struct defined *d)
{
	for (size_t i = 0; i < d->n; i++) {
		const Elf64_Sym *s = &o->symbols[d->symbol[i]];

		if (d->symbol[i] && s->st_shndx == section &&
		    offset >= s->st_value && offset - s->st_value < s->st_size)
			return true;
	}
	return false;
}

static void redirect_symbol(const struct wm_elf_object *o, size_t old,
			    size_t new, const struct defined *d,
			    struct wm_inner_object *found)
{
	for (size_t i = 0; i < o->section_count; i++) {
		const Elf64_Shdr *s = &o->sections[i];
		Elf64_Rela *r;

		if (s->sh_type != SHT_RELA || !wm_object_has(o, s) ||
		    s->sh_offset % 8 || !is_program(o, s->sh_info))
			continue;
		r = (Elf64_Rela *)(void *)(o->bytes + s->sh_offset);
		for (size_t k = 0; k < s->sh_size / sizeof(*r); k++) {
			if (ELF64_R_SYM(r[k].r_info) != old ||
			    !wm_machine_means_start(o->machine,
						    ELF64_R_TYPE(r[k].r_info),
						    r[k].r_addend))
				continue;
			r[k].r_info = ELF64_R_INFO(new,
						   ELF64_R_TYPE(r[k].r_info));
			found->redirected++;
			found->outside += !is_in(o, s->sh_info, r[k].r_offset,
						 d);
		}
	}
}

/* Finds the compilers that have left their names. */
static void read_comment(const struct wm_elf_object *o,
			 struct wm_inner_object *found)
{
	for (size_t i = 0; i < o->section_count; i++) {
		const Elf64_Shdr *s = &o->sections[i];
		const uint8_t *text;

		if (s->sh_type != SHT_PROGBITS || !wm_object_has(o, s) ||
		    s->sh_name >= o->names_size ||
		    strcmp(o->names + s->sh_name, ".comment") != 0)
			continue;
		text = o->bytes + s->sh_offset;
		found->clang = memmem(text, s->sh_size, "clang version", 13) &&
			       !memmem(text, s->sh_size, "GCC: (", 6);
	}
}

/* Moves both tables to the end of the file, with a new symbol for each name.
 * *@first is the first new one. */
static int add_symbols(struct wm_elf_object *o, const char *const *names,
		       size_t n, size_t *first)
{
	size_t text = o->strtab->sh_size, symbols = o->symtab->sh_size, at;
	size_t start = (o->size + 7) & ~(size_t)7,
	       room = start + symbols + n * sizeof(Elf64_Sym) + text;
	uint8_t *bytes;
	Elf64_Sym *s;

	for (size_t i = 0; i < n; i++)
		room += strlen(names[i]) + sizeof("__wrap_");
	bytes = calloc(1, room);
	if (!bytes)
		return -1;
	memcpy(bytes, o->bytes, o->size);
	memcpy(bytes + start, o->bytes + o->symtab->sh_offset, symbols);
	at = start + symbols + n * sizeof(*s);
	memcpy(bytes + at, o->strings, text);
	*first = o->symbol_count;
	s = (Elf64_Sym *)(void *)(bytes + start) + o->symbol_count;
	for (size_t i = 0; i < n; i++) {
		s[i].st_name = (uint32_t)text;
		s[i].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
		text += (size_t)sprintf((char *)bytes + at + text, "__wrap_%s",
					names[i]) +
			1;
	}
	free(o->bytes);
	wm_object_open(o, bytes, room);
	o->symtab->sh_offset = start;
	o->symtab->sh_size = symbols + n * sizeof(*s);
	o->strtab->sh_offset = at;
	o->strtab->sh_size = text;
	/* headers of a damaged file may overlap */
	return wm_object_open(o, bytes, room) || o->symbol_count != *first + n ?
		       -1 :
		       0;
}

static bool can_grow(const struct wm_elf_object *o)
{
	/* objects with more than 65,279 sections have another table for
	 * symbols */
	for (size_t i = 0; i < o->section_count; i++)
		if (o->sections[i].sh_type == SHT_SYMTAB_SHNDX)
			return false;
	return o->symtab->sh_size % sizeof(Elf64_Sym) == 0;
}

bool wm_inner_defines(uint8_t *bytes, size_t size, const char *const *names,
		      size_t n)
{
	struct wm_elf_object o;

	if (wm_object_open(&o, bytes, size))
		return false;
	for (size_t i = 0; i < n; i++)
		if (find_definition(&o, names[i]))
			return true;
	return false;
}

int wm_inner_redirect(uint8_t **bytes, size_t *size, const char *const *names,
		      size_t n, struct wm_inner_object *found)
{
	struct defined d = { calloc(n + 1, sizeof(*d.symbol)), n };
	struct wm_elf_object o;
	size_t first;
	int status;

	memset(found, 0, sizeof(*found));
	if (!d.symbol || wm_object_open(&o, *bytes, *size) || !can_grow(&o)) {
		free(d.symbol);
		return -1;
	}
	look_around(&o, names, n, found);
	read_comment(&o, found);
	for (size_t i = 0; i < n; i++)
		d.symbol[i] = find_definition(&o, names[i]);
	status = add_symbols(&o, names, n, &first);
	*bytes = o.bytes;
	*size = o.size;
	for (size_t i = 0; !status && i < n; i++)
		if (d.symbol[i])
			redirect_symbol(&o, d.symbol[i], first + i, &d, found);
	free(d.symbol);
	return status;
}
