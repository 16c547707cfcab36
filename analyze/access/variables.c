/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/variables.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/base/plain.h"
#include "analyze/base/vec.h"
#include "wm/regular.h"

void wm_variables_release(struct wm_variables *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->variable[i].name);
	free(v->variable);
	memset(v, 0, sizeof(*v));
}

/* The notes in @data have this build-id. */
static bool has_build_id(Elf_Data *data, const struct wm_module *exe)
{
	size_t at = 0, name, desc;
	GElf_Nhdr n;

	while ((at = gelf_getnote(data, at, &n, &name, &desc)))
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    memcmp((char *)data->d_buf + name, "GNU", 4) == 0)
			return n.n_descsz == exe->build_id_size &&
			       memcmp((char *)data->d_buf + desc, exe->build_id,
				      n.n_descsz) == 0;
	return false;
}

static bool add_symbol(struct wm_variables *v, const GElf_Sym *sym,
		       const char *name)
{
	struct wm_variable *x;

	if (GELF_ST_TYPE(sym->st_info) != STT_OBJECT || !sym->st_size ||
	    sym->st_shndx == SHN_UNDEF || !name || !*name)
		return true;
	x = WM_MORE(v->variable, v->cap, v->count);
	if (!x || !(x->name = strdup(name)))
		return false;
	x->address = sym->st_value;
	x->bytes = sym->st_size;
	v->count++;
	return true;
}

static bool add_symbols(struct wm_variables *v, Elf *elf, Elf_Scn *scn,
			const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? (size_t)(sh->sh_size / sh->sh_entsize) : 0;
	GElf_Sym sym;

	for (size_t i = 0; data && i < n; i++)
		if (gelf_getsym(data, (int)i, &sym) &&
		    !add_symbol(v, &sym,
				elf_strptr(elf, sh->sh_link, sym.st_name)))
			return false;
	return true;
}

/* Whether it is the right file; *@good: memory was not short. */
static bool read_sections(struct wm_variables *v, Elf *elf,
			  const struct wm_module *exe, bool *good)
{
	Elf_Scn *scn = NULL;
	bool found = false;
	GElf_Shdr sh;

	*good = true;
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_SYMTAB && *good)
			*good = add_symbols(v, elf, scn, &sh);
		if (sh.sh_type == SHT_NOTE && (data = elf_getdata(scn, NULL)))
			found |= has_build_id(data, exe);
	}
	return found;
}

static int by_address(const void *a, const void *b)
{
	const struct wm_variable *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Aliases, and what lies in another one, go. */
static void drop_inner(struct wm_variables *v)
{
	uint64_t end = 0;
	size_t n = 0;

	if (v->count)
		qsort(v->variable, v->count, sizeof(*v->variable), by_address);
	for (size_t i = 0; i < v->count; i++) {
		struct wm_variable *x = &v->variable[i];

		if (x->address < end || x->address + x->bytes < x->address) {
			free(x->name);
			continue;
		}
		end = x->address + x->bytes;
		v->variable[n++] = *x;
	}
	v->count = n;
}

enum wm_status wm_variables_read(struct wm_variables *v,
				 const struct wm_module *exe,
				 struct wm_err *err)
{
	bool found = false, good = true;
	char *path = exe->path ? strdup(exe->path) : NULL;
	Elf *elf = NULL;
	int fd = -1;

	memset(v, 0, sizeof(*v));
	elf_version(EV_CURRENT);
	if (path && exe->build_id_size)
		fd = wm_regular_open(wm_unplain(path));
	free(path);
	if (fd >= 0)
		elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		found = read_sections(v, elf, exe, &good);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	drop_inner(v);
	if (found && good && v->count)
		return WM_OK;
	wm_variables_release(v);
	return good ? wm_err_set(err, WM_NOT_FOUND, "%s: no variables",
				 exe->path ? exe->path : "") :
		      wm_no_memory(err, NULL);
}
