/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dlsym() without an effect on the program, for dynamic programs.
 *
 * If dlsym() fails, glibc allocates the text of the error with the program's
 * malloc, which changes the addresses of later blocks.  So the loader is asked
 * only for symbols that a loaded file defines.  The loader's list is read
 * without its lock: only a dlclose() that unmaps a library while one of its
 * functions calls us could disturb this.
 *
 * dlsym() discards the error that dlerror() would report to the program next.
 * So dlsym() is not called if the first file that defines the name was loaded
 * with the program.
 */
#ifdef WM_DYNAMIC
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "runtime/base/dynamic.h"
#include "runtime/base/look_up.h"
#include "runtime/base/text.h"

size_t (*wm_usable_size)(void *);

extern const ElfW(Dyn) own_section[] __asm__("_DYNAMIC") wm_hidden;

/* The loader adds the bias in the section, unless it is read-only (vDSO). */
static const void *loaded_address(uintptr_t bias, ElfW(Addr) value)
{
	return (const void *)(value < bias ? bias + value : value);
}

void wm_dynamic_read(uintptr_t bias, const ElfW(Dyn) * d, struct wm_dynamic *t)
{
	*t = (struct wm_dynamic){ 0 };
	for (; d && d->d_tag != DT_NULL; d++) {
		const void *p = loaded_address(bias, d->d_un.d_ptr);

		if (d->d_tag == DT_SYMTAB)
			t->sym = p;
		else if (d->d_tag == DT_STRTAB)
			t->str = p;
		else if (d->d_tag == DT_GNU_HASH)
			t->gnu = p;
		else if (d->d_tag == DT_HASH)
			t->sysv = p;
		else if (d->d_tag == DT_VERSYM)
			t->version = (ElfW(Half) *)(uintptr_t)p;
		else if (d->d_tag == DT_RELA)
			t->rela = p;
		else if (d->d_tag == DT_RELASZ)
			t->relas = d->d_un.d_val / sizeof(*t->rela);
		else if (d->d_tag == DT_RELACOUNT)
			t->relative = d->d_un.d_val;
		else if (d->d_tag == DT_JMPREL)
			t->plt = p;
		else if (d->d_tag == DT_PLTRELSZ)
			t->plts = d->d_un.d_val / sizeof(*t->plt);
		else if (d->d_tag == DT_DEBUG)
			t->debug = (const struct r_debug *)d->d_un.d_ptr;
	}
}

/* A function; if .there is set, its address has to be .at above the bias. */
struct wanted {
	const char *name;
	bool there;
	uintptr_t at;
	const ElfW(Sym) * symbol;
	uint32_t number;
};

static bool is_it(const struct wm_dynamic *t, uint32_t i, struct wanted *w)
{
	const ElfW(Sym) *s = &t->sym[i];

	w->symbol = s;
	w->number = i;
	return s->st_shndx != SHN_UNDEF &&
	       (!w->there || s->st_value == w->at) &&
	       wm_str_equal(t->str + s->st_name, w->name);
}

/* The table's head: buckets, first symbol, words of the filter, its shift. */
static bool in_gnu_hash(const struct wm_dynamic *t, struct wanted *w)
{
	const uint32_t *h = t->gnu;
	const uint32_t *bucket = h + 4 + h[2] * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + h[0];
	uint32_t hash = 5381, i;

	for (const char *p = w->name; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	if (!h[0])
		return false;
	i = bucket[hash % h[0]];
	if (i < h[1])
		return false;
	for (;; i++) {
		uint32_t its = chain[i - h[1]];

		if ((its | 1) == (hash | 1) && is_it(t, i, w))
			return true;
		if (its & 1)
			return false;
	}
}

uint32_t wm_dynamic_symbol(const struct wm_dynamic *t, const char *name)
{
	struct wanted w = { .name = name };

	return t->gnu && in_gnu_hash(t, &w) ? w.number : 0;
}

static bool in_symbols(const struct wm_dynamic *t, struct wanted *w)
{
	for (uint32_t i = 1; i < t->sysv[1]; i++)
		if (is_it(t, i, w))
			return true;
	return false;
}

bool wm_module_defines(const struct link_map *map, const char *name,
		       const void *at)
{
	struct wanted w = { .name = name,
			    .there = at != NULL,
			    .at = (uintptr_t)at - map->l_addr };
	struct wm_dynamic t;

	wm_dynamic_read(map->l_addr, map->l_ld, &t);
	if (!t.sym || !t.str)
		return false;
	if (t.gnu)
		return in_gnu_hash(&t, &w);
	return !t.sysv || in_symbols(&t, &w);
}

const struct r_debug *wm_loader_list(uintptr_t *bias)
{
	const ElfW(Phdr) *ph = (const void *)getauxval(AT_PHDR);
	const size_t count = ph ? getauxval(AT_PHNUM) : 0;
	const ElfW(Dyn) *d = NULL;
	struct wm_dynamic t;

	*bias = 0;
	for (size_t i = 0; i < count; i++)
		if (ph[i].p_type == PT_PHDR)
			*bias = (uintptr_t)ph - ph[i].p_vaddr;
	for (size_t i = 0; i < count; i++)
		if (ph[i].p_type == PT_DYNAMIC)
			d = (const void *)(*bias + ph[i].p_vaddr);
	wm_dynamic_read(*bias, d, &t);
	return t.debug;
}

static const struct link_map *first_module(void)
{
	uintptr_t bias;
	const struct r_debug *list = wm_loader_list(&bias);

	return list ? list->r_map : NULL;
}

const struct link_map *wm_own_module(void)
{
	static _Atomic(const struct link_map *) own;
	const struct link_map *map = atomic_load(&own);

	if (map)
		return map;
	for (map = first_module(); map; map = map->l_next)
		if (map->l_ld == own_section)
			break;
	atomic_store(&own, map);
	return map;
}

/* For a handle and for RTLD_NEXT, dlsym() may search only some of the files. */
static const struct link_map *definer(void *where, const char *name)
{
	const struct link_map *map = first_module();

	if (where == RTLD_NEXT)
		map = wm_own_module()->l_next;
	while (map && !wm_module_defines(map, name, NULL))
		map = map->l_next;
	return map;
}

/* Files that were loaded with the program are not behind the loader in the
 * list, and dlsym() searches them in this order. */
static bool is_of_start(const struct link_map *map)
{
	uintptr_t loader = getauxval(AT_BASE);

	while (map && map->l_addr != loader)
		map = map->l_next;
	return loader && map;
}

/* Returns NULL if only the loader can choose the version or the variant. */
static void *plain_address(const struct link_map *map, const char *name)
{
	struct wanted w = { .name = name };
	struct wm_dynamic t;
	int type;

	wm_dynamic_read(map->l_addr, map->l_ld, &t);
	if (!t.sym || !t.str || !t.gnu || !in_gnu_hash(&t, &w))
		return NULL;
	type = w.symbol->st_info & 15;
	if ((type != STT_FUNC && type != STT_OBJECT) ||
	    (t.version && t.version[w.number] >> 15))
		return NULL;
	return (void *)(map->l_addr + w.symbol->st_value);
}

bool wm_of_one_library(const char *name, const void *at, const char *other,
		       const void *others)
{
	const struct link_map *map = first_module();

	for (; map; map = map->l_next)
		if (wm_module_defines(map, name, at))
			return wm_module_defines(map, other, others);
	return false;
}

void *wm_look_up_start(const char *name)
{
	const struct link_map *map = wm_own_module() ?
					     definer(RTLD_NEXT, name) :
					     NULL;

	return map && is_of_start(map) ? plain_address(map, name) : NULL;
}

const void *wm_look_up_before(const char *name)
{
	const struct link_map *own = wm_own_module(), *map = first_module();

	for (; own && map != own; map = map->l_next)
		if (wm_module_defines(map, name, NULL))
			return plain_address(map, name);
	return NULL;
}

void *wm_look_up(void *where, const char *name)
{
	const struct link_map *map = NULL;
	void *p = NULL;

	if (wm_own_module()) {
		map = definer(where, name);
		if (!map)
			return NULL;
	}
	if (map && (where == RTLD_NEXT || where == RTLD_DEFAULT) &&
	    is_of_start(map))
		p = plain_address(map, name);
	if (p)
		return p;
	p = dlsym(where, name);
	/* The name is only in a file that this search does not reach.  The two
	 * calls read the error, and free its text. */
	if (!p) {
		dlerror();
		dlerror();
	}
	return p;
}
#endif
