/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/object.h"

#include <string.h>

bool wm_object_has(const struct wm_elf_object *o, const Elf64_Shdr *s)
{
	return s->sh_offset <= o->size && s->sh_size <= o->size - s->sh_offset;
}

static const char *strings_of(const struct wm_elf_object *o,
			      const Elf64_Shdr *s)
{
	const char *text;

	if (s->sh_type != SHT_STRTAB || !wm_object_has(o, s) || !s->sh_size)
		return NULL;
	text = (const char *)o->bytes + s->sh_offset;
	return text[s->sh_size - 1] ? NULL : text;
}

int wm_object_open(struct wm_elf_object *o, uint8_t *bytes, size_t size)
{
	Elf64_Ehdr *eh = (Elf64_Ehdr *)(void *)bytes;

	memset(o, 0, sizeof(*o));
	o->bytes = bytes;
	o->size = size;
	if (size < sizeof(*eh) || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
	    eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_type != ET_REL ||
	    eh->e_shoff % 8 || eh->e_shentsize != sizeof(Elf64_Shdr) ||
	    eh->e_shoff > size ||
	    eh->e_shnum > (size - eh->e_shoff) / sizeof(Elf64_Shdr) ||
	    eh->e_shstrndx >= eh->e_shnum)
		return -1;
	o->machine = wm_machine_find(eh->e_machine);
	if (!o->machine)
		return -1;
	o->sections = (Elf64_Shdr *)(void *)(bytes + eh->e_shoff);
	o->section_count = eh->e_shnum;
	o->names = strings_of(o, &o->sections[eh->e_shstrndx]);
	o->names_size = o->sections[eh->e_shstrndx].sh_size;
	for (size_t i = 0; i < o->section_count; i++)
		if (o->sections[i].sh_type == SHT_SYMTAB)
			o->symtab = &o->sections[i];
	if (!o->names || !o->symtab || !wm_object_has(o, o->symtab) ||
	    o->symtab->sh_offset % 8 || o->symtab->sh_link >= o->section_count)
		return -1;
	o->symbols = (Elf64_Sym *)(void *)(bytes + o->symtab->sh_offset);
	o->symbol_count = o->symtab->sh_size / sizeof(Elf64_Sym);
	o->strtab = &o->sections[o->symtab->sh_link];
	o->strings = strings_of(o, o->strtab);
	return o->strings ? 0 : -1;
}

const char *wm_object_symbol(const struct wm_elf_object *o, size_t i)
{
	uint32_t at = o->symbols[i].st_name;

	return at < o->strtab->sh_size ? o->strings + at : "";
}

/* Strings with a common end may share it. */
static bool is_shared(const struct wm_elf_object *o, size_t at,
		      const struct wm_symbol_rename *r)
{
	size_t first = 0, end = strlen(r->was);

	while (first < end && r->was[first] == r->is[first])
		first++;
	while (end > first && r->was[end - 1] == r->is[end - 1])
		end--;
	for (size_t i = 1; i < o->symbol_count; i++) {
		const char *name = wm_object_symbol(o, i);
		size_t start = o->symbols[i].st_name;

		if (start != at && start < at + end &&
		    start + strlen(name) > at + first)
			return true;
	}
	return false;
}

long wm_rename_symbols(uint8_t *bytes, size_t size,
		       const struct wm_symbol_rename *r, size_t n)
{
	struct wm_elf_object o;
	long renamed = 0;

	if (wm_object_open(&o, bytes, size))
		return -1;
	for (size_t i = 1; i < o.symbol_count; i++) {
		size_t at = o.symbols[i].st_name;

		for (size_t k = 0; k < n; k++) {
			if (strcmp(wm_object_symbol(&o, i), r[k].was) != 0)
				continue;
			if (is_shared(&o, at, &r[k]))
				return -1;
			memcpy(bytes + o.strtab->sh_offset + at, r[k].is,
			       strlen(r[k].is));
			renamed++;
			break;
		}
	}
	return renamed;
}

void wm_rename_index(uint8_t *bytes, size_t size, bool wide,
		     const struct wm_symbol_rename *r, size_t n)
{
	size_t width = wide ? 8 : 4, at;
	uint64_t count = 0;

	for (size_t i = 0; i < width && i < size; i++)
		count = count << 8 | bytes[i];
	if (size < width || count > (size - width) / width)
		return;
	for (at = width + count * width; at < size;) {
		char *name = (char *)bytes + at;
		size_t length = strnlen(name, size - at);

		for (size_t k = 0; k < n && at + length < size; k++)
			if (!strcmp(name, r[k].was)) {
				memcpy(name, r[k].is, length);
				break;
			}
		at += length + 1;
	}
}
