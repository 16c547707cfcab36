/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Since glibc 2.35 the loader finds the file mapped at an address without its
 * lock.  For other loaders this file keeps a copy of the list that the loader
 * gives to debuggers, and reads the list again, without the lock, if no file of
 * the copy contains an address.  The last link of the copy shows whether files
 * were added; dlclose() removes files, and wm_closings counts its calls.
 *
 * Another thread may close a library while its entry is being read.  So the
 * kernel reads the entry, and fails if it is unmapped.  If the program has
 * forbidden that system call, the entry is read directly.
 *
 * Known limit: libraries that libc itself unloads (gconv, nss) are not noticed.
 */
#ifdef WM_DYNAMIC
#include "runtime/callpath/loaded.h"

#include <elf.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/base/dynamic.h"
#include "runtime/base/lock.h"
#include "runtime/base/peek.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/text.h"

#define FILES_MAX 10000 /* ends the walk of a list that is changing */

static struct wm_lock lock; /* the fields below */
static struct wm_buf files; /* of struct wm_loaded */
static uint32_t closings; /* wm_closings when the list was read */
static uintptr_t last_link; /* 0: nothing was read */
static bool by_kernel;

/* Returns the number of bytes read.  If the kernel cannot read them, they must
 * be mapped. */
static size_t take(uintptr_t at, void *to, size_t n)
{
	if (by_kernel)
		return wm_peek(at, to, n);
	memcpy(to, (const void *)at, n);
	return n;
}

static uint64_t hash_name_at(const char *name)
{
	char text[256];

	if (!by_kernel)
		return wm_str_hash(name ? name : "");
	text[name ? wm_peek((uintptr_t)name, text, sizeof(text) - 1) : 0] = 0;
	return wm_str_hash(text);
}

static void add_file(const ElfW(Phdr) * ph, size_t count, uintptr_t bias,
		     const struct link_map *at, const struct link_map *map)
{
	struct wm_loaded l = { 0, 0, hash_name_at(map->l_name), at };

	for (size_t i = 0; i < count; i++) {
		if (ph[i].p_type != PT_LOAD)
			continue;
		if (ph[i].p_offset == 0)
			l.lo = bias + ph[i].p_vaddr;
		if (bias + ph[i].p_vaddr + ph[i].p_memsz > l.hi)
			l.hi = bias + ph[i].p_vaddr + ph[i].p_memsz;
	}
	if (l.lo)
		wm_buf_add(&files, &l, sizeof(l));
}

/* @map is a copy of the entry at @at.  The ELF header is at the load
 * address. */
static void add_library(const struct link_map *at, const struct link_map *map)
{
	enum { HEADERS = 32 };
	ElfW(Ehdr) eh;
	ElfW(Phdr) ph[HEADERS];
	size_t n;

	if (!map->l_addr || take(map->l_addr, &eh, sizeof(eh)) != sizeof(eh) ||
	    memcmp(eh.e_ident, ELFMAG, SELFMAG) != 0 || eh.e_phnum > HEADERS)
		return;
	n = eh.e_phnum * sizeof(*ph);
	if (take(map->l_addr + eh.e_phoff, ph, n) == n)
		add_file(ph, eh.e_phnum, map->l_addr, at, map);
}

static void read_list(void)
{
	uintptr_t bias;
	const struct r_debug *list = wm_loader_list(&bias);
	const struct link_map *at = list ? list->r_map : NULL;
	struct link_map map;

	files.len = 0;
	last_link = 0;
	closings = atomic_load(&wm_closings);
	/* A container may refuse the system call. */
	by_kernel = by_kernel && wm_peek((uintptr_t)at, &map, sizeof(map));
	for (size_t i = 0; at && i < FILES_MAX; i++) {
		if (take((uintptr_t)at, &map, sizeof(map)) != sizeof(map)) {
			last_link = 0;
			return;
		}
		if (i == 0)
			add_file((const void *)getauxval(AT_PHDR),
				 getauxval(AT_PHNUM), bias, at, &map);
		else
			add_library(at, &map);
		last_link = (uintptr_t)&at->l_next;
		at = map.l_next;
	}
}

static bool none_closed(void)
{
	return last_link && !atomic_load(&wm_closing_now) &&
	       closings == atomic_load(&wm_closings);
}

static bool none_opened(void)
{
	uintptr_t next;

	return take(last_link, &next, sizeof(next)) == sizeof(next) && !next;
}

static bool find(uintptr_t at, struct wm_loaded *l)
{
	const struct wm_loaded *all = (const void *)files.p;

	for (size_t i = 0; i < files.len / sizeof(*all); i++)
		if (at >= all[i].lo && at < all[i].hi) {
			*l = all[i];
			return true;
		}
	return false;
}

static bool look_in_list(uintptr_t at, struct wm_loaded *l)
{
	bool found;

	wm_lock_take(&lock);
	found = none_closed() && find(at, l);
	if (!found) {
		by_kernel = wm_peek_is_safe();
		if (!none_closed() || !none_opened()) {
			read_list();
			found = find(at, l);
		}
	}
	wm_lock_drop(&lock);
	return found;
}

void wm_loaded_forget(void)
{
	files = (struct wm_buf){ 0 };
	last_link = 0;
}

#if __GLIBC_PREREQ(2, 35)
/* Weak: the program may run with an older C library than that of the build. */
#pragma weak _dl_find_object

bool wm_loaded_at(uintptr_t at, struct wm_loaded *l)
{
	struct dl_find_object f;

	if (!_dl_find_object)
		return look_in_list(at, l);
	if (_dl_find_object((void *)at, &f) != 0)
		return false;
	*l = (struct wm_loaded){ (uintptr_t)f.dlfo_map_start,
				 (uintptr_t)f.dlfo_map_end,
				 wm_str_hash(f.dlfo_link_map->l_name),
				 f.dlfo_link_map };
	return true;
}
#else
bool wm_loaded_at(uintptr_t at, struct wm_loaded *l)
{
	return look_in_list(at, l);
}
#endif
#endif
