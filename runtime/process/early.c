/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static programs of glibc: before libc has made the first thread's storage it
 * calls the resolvers of IFUNCs, which may map memory, or have an allocator of
 * their own that needs no thread.  Our wrappers have to know of the thread what
 * they know at any other time.  So there is storage of ours until libc's comes,
 * in which wm_depth says that nothing can be recorded yet: such calls are
 * counted as lost.
 *
 * Nothing is relocated yet: no call of libc, no address in initialized data.
 */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/process/early.h"

#define TCB_BYTES 4096 /* behind the storage; glibc's has 2,304 */

static uintptr_t base; /* 0: none */
static size_t before; /* bytes of the mapping that lie before it */

#if defined(__x86_64__) && !defined(WM_DYNAMIC)
/* Bytes of the program's thread-local storage; 0: it is not told. */
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
	r = WM_SYS6(SYS_mmap, 0, n + TCB_BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (wm_sys_bad(r))
		return;
	base = (uintptr_t)r + n;
	before = n;
	*(uintptr_t *)base = base;
	__asm__("movq wm_depth@gottpoff(%%rip), %0" : "=r"(depth));
	*(uintptr_t *)(base + (uintptr_t)depth) = WM_DEPTH_EARLY;
	WM_SYS2(SYS_arch_prctl, 0x1002 /* ARCH_SET_FS */, base);
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
		WM_SYS2(SYS_munmap, base - before, before + TCB_BYTES);
	base = 0;
}

bool wm_thread_ready(void)
{
	static bool ready;
#if defined(__x86_64__)
	uintptr_t thread = 0;

	if (wm_unlikely(!ready)) {
		WM_SYS2(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, &thread);
		ready = thread != 0 && thread != base;
	}
#elif defined(__aarch64__)
	uintptr_t thread;

	__asm__("mrs %0, tpidr_el0" : "=r"(thread));
	ready = thread != 0;
#endif
	return ready;
}
