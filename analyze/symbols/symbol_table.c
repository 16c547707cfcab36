/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/symbol_table.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/search.h"

struct wm_table_symbol {
	uint64_t begin, end;
	uint64_t reach; /* the highest end of a sized symbol up to here */
	const char *name;
	uint32_t number;
	uint8_t strength;
	bool sized;
};

static uint8_t strength(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
		return 3;
	case STB_WEAK:
		return 2;
	case STB_LOCAL:
		return 1;
	default:
		return 0;
	}
}

/* Orders symbols so that the symbol that counts is the last one. */
static int by_begin(const void *a, const void *b)
{
	const struct wm_table_symbol *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->begin, y->begin),
		       WM_ORDER(x->sized, y->sized),
		       WM_ORDER(x->strength, y->strength),
		       WM_ORDER(y->end, x->end),
		       WM_ORDER(y->number, x->number));
}

/* A symbol with @value in this section is at @address.  Returns @address if the
 * end is unknown. */
static uint64_t section_end(Elf *elf, GElf_Word number, uint64_t value,
			    uint64_t address)
{
	Elf_Scn *scn = elf_getscn(elf, number);
	GElf_Shdr shdr;

	if (!scn || !gelf_getshdr(scn, &shdr) || value < shdr.sh_addr ||
	    value - shdr.sh_addr >= shdr.sh_size)
		return address;
	return address + (shdr.sh_addr + shdr.sh_size - value);
}

static bool read_symbols(struct wm_symbol_table *t, Dwfl_Module *mod)
{
	int n = dwfl_module_getsymtab(mod);

	for (int i = 0; i < n; i++) {
		struct wm_table_symbol *s;
		GElf_Word section;
		GElf_Addr address;
		GElf_Sym sym;
		Elf *elf;
		const char *name = dwfl_module_getsym_info(mod, i, &sym,
							   &address, &section,
							   &elf, NULL);
		int type = GELF_ST_TYPE(sym.st_info);

		if (!name || !*name || sym.st_shndx == SHN_UNDEF ||
		    type == STT_SECTION || type == STT_FILE || type == STT_TLS)
			continue;
		s = WM_MORE(t->symbol, t->cap, t->count);
		if (!s)
			return false;
		t->count++;
		*s = (struct wm_table_symbol){
			.begin = address,
			.end = sym.st_size ? address + sym.st_size :
					     section_end(elf, section,
							 sym.st_value, address),
			.name = name,
			.number = (uint32_t)i,
			.strength = strength(&sym),
			.sized = sym.st_size != 0,
		};
	}
	return true;
}

static void sort_symbols(struct wm_symbol_table *t)
{
	uint64_t reach = 0;

	WM_SORT(t->symbol, t->count, by_begin);
	for (size_t i = 0; i < t->count; i++) {
		struct wm_table_symbol *s = &t->symbol[i];

		if (s->sized && s->end > reach)
			reach = s->end;
		s->reach = reach;
	}
}

const char *wm_symbol_table_at(struct wm_symbol_table *t, Dwfl_Module *mod,
			       uint64_t address, uint64_t *begin)
{
	const struct wm_table_symbol *s;

	if (!t->read) {
		t->read = true;
		if (!read_symbols(t, mod))
			t->count = 0;
		sort_symbols(t);
	}
	for (size_t i = WM_FIRST(k, t->count, t->symbol[k].begin > address);
	     i--;) {
		s = &t->symbol[i];
		*begin = s->begin;
		/* only a label can contain @address */
		if (s->reach <= address)
			return s->begin >= s->reach && address < s->end ?
				       s->name :
				       NULL;
		if (s->sized && address < s->end)
			return s->name;
	}
	return NULL;
}

void wm_symbol_table_release(struct wm_symbol_table *t)
{
	free(t->symbol);
	memset(t, 0, sizeof(*t));
}
