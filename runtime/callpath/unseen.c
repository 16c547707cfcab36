/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries whose allocations cannot be seen.
 *
 * dlopen() with RTLD_DEEPBIND binds a library to what itself and its own
 * libraries define, so its malloc is the C library's.  dlmopen() loads a
 * library, and another C library with it, into a namespace of its own.
 *
 * Nothing is changed: what the loader has written into the library's table of
 * addresses shows whom it calls.  An address that is still to be looked up was
 * never called.
 */
#ifdef WM_DYNAMIC
#include "runtime/callpath/unseen.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "wm/path.h"
#include "wm/wrap_list.h"

#include "runtime/base/dynamic.h"
#include "runtime/base/lock.h"
#include "runtime/base/text.h"

/* musl has none; it knows neither flag nor namespaces. */
#pragma weak dladdr1

#define BETWEEN ", "
#define MORE BETWEEN "..."

#define X(name, family) #name,
static const char *const heap[] = { WM_WRAP_HEAP(X) };
#undef X

static struct wm_lock names_lock;
static char names[WM_UNSEEN_ROOM];

struct look {
	/* the executable, and what holds this function */
	struct dl_phdr_info exe, ours;
	size_t count;
	uintptr_t at; /* is it in any file? */
};

/* ---- names ---- */

static bool is_named(const char *name)
{
	const size_t len = strlen(name);
	const char *p = names;

	while (p) {
		if (strncmp(p, name, len) == 0 && (p[len] == ',' || !p[len]))
			return true;
		p = strstr(p, BETWEEN);
		p = p ? p + strlen(BETWEEN) : NULL;
	}
	return false;
}

/* Under the lock. */
static void add_name(const char *name)
{
	struct wm_text t = { names, strlen(names), sizeof(names), false };

	if (is_named(name) || is_named("..."))
		return;
	if (t.len + strlen(BETWEEN) + strlen(name) + strlen(MORE) < t.room) {
		wm_text_add(&t, t.len ? BETWEEN : "");
		wm_text_add(&t, name);
	} else {
		wm_text_add(&t, MORE);
	}
}

static void keep_name(const char *path)
{
	char name[WM_UNSEEN_ROOM / 2];
	struct wm_text t = wm_text_on(name, sizeof(name));

	wm_text_plain(&t, wm_basename(path ? path : ""));
	if (!t.len)
		return;
	wm_lock_take(&names_lock);
	add_name(name);
	wm_lock_drop(&names_lock);
}

bool wm_unseen_names(char to[WM_UNSEEN_ROOM])
{
	wm_lock_take(&names_lock);
	memcpy(to, names, sizeof(names));
	wm_lock_drop(&names_lock);
	return to[0] != 0;
}

/* ---- whom a library calls ---- */

static bool covers(const struct dl_phdr_info *info, uintptr_t at)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_LOAD &&
		    at - (info->dlpi_addr + ph->p_vaddr) < ph->p_memsz)
			return true;
	}
	return false;
}

static int has_address(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct look *l = data;

	(void)size;
	return covers(info, l->at);
}

static bool is_heap_function(const char *name)
{
	for (size_t i = 0; i < sizeof(heap) / sizeof(*heap); i++)
		if (wm_str_equal(heap[i], name))
			return true;
	return false;
}

/* Whoever calls the executable calls us: it defines the wrappers, or has stubs
 * for those of libwmtrace.so. */
static bool is_elsewhere(struct look *l, const struct dl_phdr_info *info,
			 const ElfW(Sym) * s, uintptr_t at)
{
	if (covers(&l->exe, at) || covers(&l->ours, at))
		return false;
	/* what it defines itself; else a stub that will look it up */
	if (covers(info, at))
		return s->st_shndx != SHN_UNDEF &&
		       at == info->dlpi_addr + s->st_value;
	/* no address yet, while another thread is loading the library */
	l->at = at;
	return dl_iterate_phdr(has_address, l) != 0;
}

static bool has_unseen(struct look *l, const struct dl_phdr_info *info,
		       const struct wm_dynamic *t, const ElfW(Rela) * r,
		       size_t first, size_t count)
{
	for (size_t i = first; r && i < count; i++) {
		unsigned type = ELF64_R_TYPE(r[i].r_info);
		const ElfW(Sym) *s = &t->sym[ELF64_R_SYM(r[i].r_info)];

		if ((type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) &&
		    is_heap_function(t->str + s->st_name) &&
		    is_elsewhere(l, info, s,
				 *(const uintptr_t *)(info->dlpi_addr +
						      r[i].r_offset)))
			return true;
	}
	return false;
}

/* glibc 2.35 has given the list of namespaces to debuggers; the first is the
 * program's. */
struct namespace
{
	struct r_debug debug;
	const struct namespace *next;
};

static void look_at_namespaces(const struct r_debug *debug)
{
	const struct namespace *n = (const void *)debug;

	if (!n || n->debug.r_version < 2)
		return;
	/* what was opened is the first of each */
	while ((n = n->next))
		if (n->debug.r_map)
			keep_name(n->debug.r_map->l_name);
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	const ElfW(Dyn) *d = NULL;
	struct wm_dynamic t;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)(info->dlpi_addr +
					   info->dlpi_phdr[i].p_vaddr);
	wm_dynamic_read(info->dlpi_addr, d, &t);
	if (info->dlpi_phdr == ((struct look *)data)->exe.dlpi_phdr)
		look_at_namespaces(t.debug);
	else if (t.sym && t.str &&
		 (has_unseen(data, info, &t, t.plt, 0, t.plts) ||
		  has_unseen(data, info, &t, t.rela, t.relative, t.relas)))
		keep_name(info->dlpi_name);
	return 0;
}

static int find_ours(struct dl_phdr_info *info, size_t size, void *data)
{
	struct look *l = data;

	(void)size;
	if (l->count++ == 0)
		l->exe = *info;
	if (!covers(info, (uintptr_t)wm_unseen_look))
		return 0;
	l->ours = *info;
	return 1;
}

void wm_unseen_look(void)
{
	struct look l = { 0 };

	if (dladdr1 && dl_iterate_phdr(find_ours, &l))
		dl_iterate_phdr(look_at, &l);
}
#endif
