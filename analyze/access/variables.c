/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/variables.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/access/module_file.h"
#include "analyze/lib/base/vec.h"
#include "wm/search.h"

void wm_variables_release(struct wm_variables *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->variable[i].name);
	free(v->variable);
	memset(v, 0, sizeof(*v));
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

static bool add_symbols(struct wm_variables *v, Dwfl_Module *mod)
{
	int n = dwfl_module_getsymtab(mod);

	for (int i = 0; i < n; i++) {
		GElf_Addr address;
		GElf_Sym sym;
		const char *name = dwfl_module_getsym_info(mod, i, &sym,
							   &address, NULL, NULL,
							   NULL);

		if (name && !add_symbol(v, &sym, name))
			return false;
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct wm_variable *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->address, y->address),
		       WM_ORDER(y->bytes, x->bytes), strcmp(x->name, y->name));
}

/* Drops aliases, and variables inside others. */
static void drop_inner(struct wm_variables *v)
{
	uint64_t end = 0;
	size_t n = 0;

	WM_SORT(v->variable, v->count, by_address);
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
	struct wm_module_file f;
	bool good = true;

	memset(v, 0, sizeof(*v));
	if (exe->build_id_size) {
		wm_module_file_open(&f, exe);
		good = !f.mod || add_symbols(v, f.mod);
		wm_module_file_release(&f);
	}
	drop_inner(v);
	if (good && v->count)
		return WM_OK;
	wm_variables_release(v);
	return good ? wm_err_set(err, WM_NOT_FOUND, "%s: no variables",
				 exe->path && *exe->path ? exe->path :
							   "the program") :
		      wm_no_memory(err, NULL);
}
