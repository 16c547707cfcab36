/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/libc_versions.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "wm/wrap_list.h"

#include "wmcc/base/machine.h"

#define HIDDEN 0x8000

/* In glibc, references without a version reach a version with this number, even
 * if it is hidden; dlsym() does not. */
#define FIRST 2

#define X(name, family) #name,
static const char *const names[] = { WM_WRAP_MAP(X) WM_WRAP_ADVICE(X) };
#undef X

/* Tables of the dynamic linker; NULL: missing. */
struct tables {
	Elf *elf;
	Elf_Data *symbols, *versions, *needed, *defined;
	size_t count, strings;
};

static void find_tables(struct tables *t)
{
	Elf_Scn *s = NULL;
	GElf_Shdr h;

	while ((s = elf_nextscn(t->elf, s)) != NULL && gelf_getshdr(s, &h))
		if (h.sh_type == SHT_DYNSYM && h.sh_entsize) {
			t->symbols = elf_getdata(s, NULL);
			t->count = h.sh_size / h.sh_entsize;
			t->strings = h.sh_link;
		} else if (h.sh_type == SHT_GNU_versym) {
			t->versions = elf_getdata(s, NULL);
		} else if (h.sh_type == SHT_GNU_verneed) {
			t->needed = elf_getdata(s, NULL);
		} else if (h.sh_type == SHT_GNU_verdef) {
			t->defined = elf_getdata(s, NULL);
		}
}

static bool is_named(const struct tables *t, size_t at, const char *name)
{
	const char *s = elf_strptr(t->elf, t->strings, at);

	return s && !strcmp(s, name);
}

/* Returns the number of libc's version @name, or 0.  Unless @swap_with is 0,
 * swaps the numbers @number and @swap_with. */
static unsigned find_version(const struct tables *t, const char *name,
			     unsigned swap_with, unsigned number)
{
	unsigned found = 0;
	GElf_Verneed file;
	GElf_Vernaux v;
	int at = 0;

	while (gelf_getverneed(t->needed, at, &file)) {
		int aux = at + (int)file.vn_aux;

		for (unsigned i = 0;
		     i < file.vn_cnt && gelf_getvernaux(t->needed, aux, &v);
		     i++) {
			if (is_named(t, file.vn_file, "libc.so.6") &&
			    is_named(t, v.vna_name, name))
				found = v.vna_other;
			if (swap_with && (v.vna_other == number ||
					  v.vna_other == swap_with)) {
				v.vna_other ^= number ^ swap_with;
				gelf_update_vernaux(t->needed, aux, &v);
			}
			aux += (int)v.vna_next;
		}
		if (!file.vn_next)
			break;
		at += (int)file.vn_next;
	}
	return found;
}

/* Functions of wmtools are weak; dlsym() must still find the program's own. */
static bool is_ours(const struct tables *t, const GElf_Sym *s)
{
	if (s->st_shndx == SHN_UNDEF || GELF_ST_BIND(s->st_info) != STB_WEAK)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_named(t, s->st_name, names[i]))
			return true;
	return false;
}

static void set_versions(const struct tables *t, unsigned number,
			 unsigned swap_with, bool hides)
{
	GElf_Versym v;
	GElf_Sym s;

	for (size_t i = 1; i < t->count; i++) {
		unsigned n;

		if (!gelf_getsym(t->symbols, (int)i, &s) ||
		    !gelf_getversym(t->versions, (int)i, &v))
			continue;
		n = v & ~HIDDEN;
		if (swap_with && (n == number || n == swap_with))
			v ^= (GElf_Versym)(number ^ swap_with);
		if (hides && is_ours(t, &s))
			v = (swap_with ? swap_with : number) | HIDDEN;
		gelf_update_versym(t->versions, (int)i, &v);
	}
}

static const char *change(struct tables *t, bool hides)
{
	const struct wm_machine *m;
	unsigned number, swap_with;
	GElf_Ehdr h;

	if (!gelf_getehdr(t->elf, &h))
		return NULL;
	m = wm_machine_find(h.e_machine);
	find_tables(t);
	if (!m || !t->symbols || !t->versions || !t->needed)
		return NULL;
	number = find_version(t, m->first_libc, 0, 0);
	if (!number)
		return NULL;
	/* a version that the program defines already has that number */
	swap_with = number == FIRST || t->defined ? 0 : FIRST;
	find_version(t, m->first_libc, swap_with, number);
	set_versions(t, number, swap_with, hides);
	elf_flagelf(t->elf, ELF_C_SET, ELF_F_LAYOUT);
	elf_flagdata(t->needed, ELF_C_SET, ELF_F_DIRTY);
	elf_flagdata(t->versions, ELF_C_SET, ELF_F_DIRTY);
	return elf_update(t->elf, ELF_C_WRITE) < 0 ? elf_errmsg(-1) : NULL;
}

const char *wm_libc_versions_set(const char *path, bool hides)
{
	struct tables t = { 0 };
	const char *why = "it cannot be opened";
	int fd = open(path, O_RDWR | O_CLOEXEC);

	elf_version(EV_CURRENT);
	if (fd >= 0) {
		t.elf = elf_begin(fd, ELF_C_RDWR, NULL);
		why = t.elf ? change(&t, hides) : elf_errmsg(-1);
		elf_end(t.elf);
		close(fd);
	}
	return why;
}
