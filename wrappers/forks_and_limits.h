/* SPDX-License-Identifier: Apache-2.0 */
/* Real calls that change mappings, for mapping.c and libc_growth.c.  While page
 * accesses are followed (WM_PAGES) the runtime makes these calls, because it
 * has to know of each. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "wrappers/shim.h"

/* Turns the kernel's result into libc's result and errno. */
static inline long wm_from_kernel(long r)
{
	if (r >= 0 || r < -4095)
		return r;
	errno = (int)-r;
	return -1;
}

static inline size_t wm_round_to_pages(size_t len)
{
	size_t page = getauxval(AT_PAGESZ);

	return len > SIZE_MAX - page ? len : (len + page - 1) & ~(page - 1);
}

typedef void *wm_mmap_function(void *, size_t, int, int, int, off_t);

static inline void *wm_pages_mmap(wm_mmap_function *real, void *addr,
				  size_t len, int prot, int flags, int fd,
				  off_t at)
{
	void *p;

	if (!wm_pages_are_on())
		return real(addr, len, prot, flags, fd, at);
	if ((flags & MAP_FIXED) && !(flags & 0x100000 /* _NOREPLACE */))
		wm_pages_leave(addr, len);
	p = real(addr, len, prot, flags, fd, at);
	if (p != MAP_FAILED)
		wm_pages_mapped(p, len, prot, flags);
	return p;
}

static inline int wm_pages_munmap(int (*real)(void *, size_t), void *addr,
				  size_t len)
{
	return wm_pages_are_on() ?
		       (int)wm_from_kernel(wm_pages_unmap(addr, len)) :
		       real(addr, len);
}

static inline int wm_pages_mprotect(int (*real)(void *, size_t, int),
				    void *addr, size_t len, int prot)
{
	return wm_pages_are_on() ?
		       (int)wm_from_kernel(wm_pages_protect(addr, len, prot)) :
		       real(addr, len, prot);
}

/* A macro, because @real may be declared with or without "...". */
#define wm_pages_mremap(real, old, old_len, len, flags, want)                  \
	(wm_pages_are_on() ?                                                   \
		 (void *)wm_from_kernel(                                       \
			 wm_pages_remap(old, old_len, len, flags, want)) :     \
		 real(old, old_len, len, flags, want))

/* Called before and after a call that locks memory: the kernel touches all of
 * that memory, which is no access by the program. */
static inline void wm_pages_will_lock(const void *addr, size_t len,
				      unsigned flags)
{
	if (wm_pages_are_on())
		wm_pages_lock(addr, len,
			      flags ? WM_PAGES_LOCK_ON_FAULT : WM_PAGES_LOCK);
}

static inline long wm_pages_did_lock(const void *addr, size_t len, long r)
{
	if (r && wm_pages_are_on())
		wm_pages_lock(addr, len, WM_PAGES_UNLOCK);
	return r;
}

static inline long wm_pages_did_unlock(const void *addr, size_t len, long r)
{
	return wm_pages_did_lock(addr, len, r == 0) ? 0 : r;
}

/* Called before shmat.  Returns less than 0 if shmat must not be called. */
static inline long wm_pages_before_attach(int flags)
{
	static const char why[] = "the program maps shared memory over its own";

	return wm_pages_are_on() && flags & 040000 /* SHM_REMAP */ ?
		       wm_pages_end(why) :
		       0;
}

/* Advice that removes no memory, by the kernel's numbers: all but DONTNEED,
 * FREE, REMOVE, MERGEABLE, PAGEOUT and unknown advice. */
#define WM_ADVICE_KEEPS                                                        \
	(1u << MADV_NORMAL | 1u << MADV_RANDOM | 1u << MADV_SEQUENTIAL |       \
	 1u << MADV_WILLNEED | 1u << MADV_DONTFORK | 1u << MADV_DOFORK |       \
	 1u << 13 /* UNMERGEABLE */ | 1u << 14 /* HUGEPAGE */ |                \
	 1u << 15 /* NOHUGEPAGE */ | 1u << 16 /* DONTDUMP */ |                 \
	 1u << 17 /* DODUMP */ | 1u << 18 /* WIPEONFORK */ |                   \
	 1u << 19 /* KEEPONFORK */ | 1u << 20 /* COLD */ |                     \
	 1u << 22 /* POPULATE_READ */ | 1u << 23 /* POPULATE_WRITE */ |        \
	 1u << 25 /* COLLAPSE */)

static inline bool wm_advice_keeps(int advice)
{
	return advice >= 0 && advice < 32 && (WM_ADVICE_KEEPS >> advice & 1);
}

static inline void wm_advice_asks(int advice)
{
	if (advice == 14 || advice == 25) /* HUGEPAGE; COLLAPSE */
		wm_memory_huge();
}

static inline char *wm_break_now(void)
{
	return (char *)wm_kernel(SYS_brk, 0, 0, 0, 0, 0, 0);
}

/* Reads the break itself: libc does not report a refusal to lower it. */
static inline void *wm_pages_sbrk(void *(*real)(intptr_t), intptr_t bytes)
{
	char *before = wm_break_now();
	void *p;

	wm_pages_break_down(before, before + bytes);
	p = real(bytes);
	wm_pages_break_moved(before, wm_break_now());
	return p;
}
