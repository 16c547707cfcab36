/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static programs of glibc: before libc has made the first thread's storage, it
 * calls the resolvers of IFUNCs, which may map memory, or have an allocator of
 * their own.  The wrappers need thread-local storage even then, so there is
 * storage of the runtime's own, in which wm_depth shows that calls are to be
 * counted as lost.
 *
 * Nothing is relocated yet: this code calls no function of libc and uses no
 * address in initialized data.
 */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(thread_register.h)

#include "runtime/base/depth.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/process/process_hooks.h"
#include "runtime/process/start.h"

static uintptr_t base; /* 0: none */
static size_t before, bytes; /* of the mapping: before the thread register, and
			      * in all */

#ifndef WM_DYNAMIC
static size_t storage_bytes(char **argv)
{
	const ElfW(Phdr) *p = NULL;
	const ElfW(auxv_t) * a;
	size_t n = 0;

	while (*argv)
		argv++;
	argv++;
	while (*argv)
		argv++;
	for (a = (const void *)(argv + 1); a->a_type != AT_NULL; a++) {
		if (a->a_type == AT_PHDR)
			p = (const void *)a->a_un.a_val;
		else if (a->a_type == AT_PHNUM)
			n = a->a_un.a_val;
	}
	for (; p && n--; p++)
		if (p->p_type == PT_TLS)
			return p->p_memsz + p->p_align;
	return 0;
}

void wm_early_begin(char **argv)
{
	size_t n = (storage_bytes(argv) + WM_PAGE - 1) & ~(WM_PAGE - 1);
	intptr_t depth;
	long r;

	if (!n)
		return;
	r = WM_SYS6(SYS_mmap, 0, n + WM_THREAD_BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (wm_sys_bad(r))
		return;
	base = (uintptr_t)wm_thread_storage((char *)r, n);
	before = base - (uintptr_t)r;
	bytes = n + WM_THREAD_BYTES;
	depth = WM_THREAD_OFFSET(wm_depth);
	*(uintptr_t *)(base + (uintptr_t)depth) = WM_DEPTH_EARLY;
	wm_thread_register_set(base);
}
#else
void wm_early_begin(char **argv)
{
	(void)argv;
}
#endif

void wm_early_end(void)
{
	if (base)
		WM_SYS2(SYS_munmap, base - before, bytes);
	base = 0;
}

bool wm_thread_ready(void)
{
	static bool ready;
	uintptr_t thread;

	if (wm_unlikely(!ready)) {
		thread = wm_thread_register_asked();
		ready = thread != 0 && thread != base;
	}
	return ready;
}
