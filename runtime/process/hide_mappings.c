/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libwmtrace.so in programs with MPI: UCX and Open MPI write a jump over the
 * mmap that dlsym() finds.  If that were our mmap, no later call would be
 * recorded.  So our functions become like those that wmcc links into such
 * programs (wmcc/link/libc_versions.h): they get the version of libc's
 * functions, hidden.  Then dlsym() finds libc's functions, and all references,
 * with a version or without, still reach ours.
 *
 * Nothing is changed if a library or program that is searched before us has
 * such functions: it asks dlsym() for the next ones and has to find ours.  Nor
 * without MPI: dlsym() has other users there.
 *
 * The table of versions is the loader's, in memory that is mapped read-only.
 * There is no other thread yet.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "input/path.h"
#include "wm/wrap_list.h"

#include "runtime/base/dynamic.h"
#include "runtime/base/look_up.h"
#include "runtime/base/sys.h"
#include "runtime/process/preload.h"

#define HIDDEN 0x8000
/* The build gives this number to libc's first version: the only one that
 * references without a version reach although it is hidden. */
#define FIRST 2

#define X(name, family) extern const char own_##name[] __asm__(#name);
WM_WRAP_MAP(X)
WM_WRAP_ADVICE(X)
#undef X
#define X(name, family) +1
enum { COUNT = WM_WRAP_MAP(X) WM_WRAP_ADVICE(X) };
#undef X

static bool begins(const struct link_map *map, const char *name)
{
	return map->l_name &&
	       strncmp(wm_basename(map->l_name), name, strlen(name)) == 0;
}

static bool is_of_mpi(const struct link_map *map)
{
	return begins(map, "libmpi") || begins(map, "libopen-pal") ||
	       begins(map, "libucm") || begins(map, "libucs");
}

/* Whether only the program, and files that the kernel maps, precede us. */
static bool is_first(const struct link_map *own)
{
	const struct link_map *map = own->l_prev;

	if (map && begins(map, "linux-vdso"))
		map = map->l_prev;
	return map && !map->l_prev;
}

static bool are_found(void)
{
#define X(name, family)                                                        \
	if (wm_look_up(RTLD_DEFAULT, #name) != (const void *)own_##name)       \
		return false;
	WM_WRAP_MAP(X)
	WM_WRAP_ADVICE(X)
#undef X
	return true;
}

/* Returns the version of a reference to one of the oldest functions. */
static unsigned libc_version(const struct wm_dynamic *t)
{
	for (uint32_t i = 1; i < t->gnu[1]; i++)
		if (strcmp(t->str + t->sym[i].st_name, "__errno_location") == 0)
			return t->version[i];
	return 0;
}

/* Whether the file has all of the range mapped read-only. */
static bool is_read_only(uintptr_t from, uintptr_t to)
{
	const uintptr_t base = (uintptr_t)&__ehdr_start;
	const ElfW(Phdr) * ph;

	if (!base)
		return false;
	ph = (const void *)(base + __ehdr_start.e_phoff);
	for (size_t i = 0; i < __ehdr_start.e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && from >= base + ph[i].p_vaddr &&
		    to <= base + ph[i].p_vaddr + ph[i].p_memsz)
			return ph[i].p_flags == PF_R;
	return false;
}

void wm_preload_hide_mappings(void)
{
	const struct link_map *own = wm_own_module(), *map = own;
	const uintptr_t page = getauxval(AT_PAGESZ);
	uint32_t number[COUNT], least = UINT32_MAX, most = 0, n = 0;
	uintptr_t from, to;
	struct wm_dynamic t;

	while (map && !is_of_mpi(map))
		map = map->l_next;
	if (!map || !is_first(own) || !are_found())
		return;
	wm_dynamic_read(own->l_addr, own->l_ld, &t);
	if (!t.gnu || !t.version || libc_version(&t) != FIRST)
		return;
#define X(name, family) number[n++] = wm_dynamic_symbol(&t, #name);
	WM_WRAP_MAP(X)
	WM_WRAP_ADVICE(X)
#undef X
	for (uint32_t i = 0; i < n; i++) {
		least = number[i] < least ? number[i] : least;
		most = number[i] > most ? number[i] : most;
	}
	from = (uintptr_t)&t.version[least];
	to = (uintptr_t)&t.version[most + 1];
	if (!least || !is_read_only(from, to))
		return;
	from &= ~(page - 1);
	if (WM_SYS3(SYS_mprotect, from, to - from, PROT_READ | PROT_WRITE))
		return;
	while (n--)
		t.version[number[n]] = FIRST | HIDDEN;
	WM_SYS3(SYS_mprotect, from, to - from, PROT_READ);
}
