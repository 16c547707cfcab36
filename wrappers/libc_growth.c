/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers __mmap, __munmap, __mremap, __mprotect, __sbrk: the names by which
 * glibc itself calls mmap and similar functions in static programs.  Calls from
 * malloc are the growth of the heap; calls from pthread_create and posix_spawn
 * map stacks.  All other calls (locales, files) are libc's own and not
 * recorded.
 *
 * libc makes such calls before it has relocated itself and made the first
 * thread's storage: until wm_thread_ready() is true, only the real function is
 * used.  In dynamic programs there is no way to see these calls.
 */
#ifndef WM_DYNAMIC
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "wm/trace_format.h"

#include "wrappers/forks_and_limits.h"
#include "wrappers/shim.h"

WM_WRAPPED(void *, __mmap, void *addr, size_t len, int prot, int flags, int fd,
	   off_t at);
WM_WRAPPED(int, __munmap, void *addr, size_t len);
WM_WRAPPED(void *, __mremap, void *old, size_t old_len, size_t len, int flags,
	   void *want);
WM_WRAPPED(int, __mprotect, void *addr, size_t len, int prot);
WM_WRAPPED(void *, __sbrk, intptr_t bytes);

static bool in_malloc(void)
{
	return wm_thread_ready() && wm_depth;
}

void *__wrap___mmap(void *addr, size_t len, int prot, int flags, int fd,
		    off_t at)
{
	void *p = wm_pages_mmap(__real___mmap, addr, len, prot, flags, fd, at);

	if (p == MAP_FAILED || !wm_thread_ready())
		return p;
	if (wm_depth) {
		wm_heap_change(prot == PROT_NONE ? WM_HEAP_RESERVED :
						   WM_HEAP_MAPPED,
			       p, wm_round_to_pages(len));
	} else if (flags & MAP_STACK) {
		if (wm_enter()) {
			wm_rec_alloc(WMT_EV_THREAD_STACK, p,
				     wm_round_to_pages(len), wm_frame());
			wm_leave();
		}
	}
	return p;
}

int __wrap___munmap(void *addr, size_t len)
{
	int64_t growth = 0;
	uint64_t told = 0;
	int r;

	if (!wm_thread_ready())
		return __real___munmap(addr, len);
	if (wm_depth) {
		growth = wm_heap_change(WM_HEAP_UNMAPPED, addr,
					wm_round_to_pages(len));
	} else if (addr && wm_enter()) {
		/* If this is no stack, the event has no meaning. */
		told = wm_rec_revocable(WMT_EV_THREAD_STACK_GONE, addr);
		wm_leave();
	}
	r = wm_pages_munmap(__real___munmap, addr, len);
	if (r && growth)
		wm_footprint_grow(-growth);
	if (r && told && wm_enter()) {
		wm_rec_refused(told);
		wm_leave();
	}
	return r;
}

void *__wrap___mremap(void *old, size_t old_len, size_t len, int flags,
		      void *want)
{
	void *p = wm_pages_mremap(__real___mremap, old, old_len, len, flags,
				  want);

	if (p != MAP_FAILED && in_malloc())
		wm_footprint_grow((intptr_t)wm_round_to_pages(len) -
				  (intptr_t)wm_round_to_pages(old_len));
	return p;
}

int __wrap___mprotect(void *addr, size_t len, int prot)
{
	int r = wm_pages_mprotect(__real___mprotect, addr, len, prot);

	if (r == 0 && prot != PROT_NONE && in_malloc())
		wm_heap_change(WM_HEAP_OPENED, addr, wm_round_to_pages(len));
	return r;
}

void *__wrap___sbrk(intptr_t bytes)
{
	void *p = wm_pages_are_on() ? wm_pages_sbrk(__real___sbrk, bytes) :
				      __real___sbrk(bytes);

	if (p != (void *)-1 && bytes && in_malloc())
		wm_footprint_grow(bytes);
	return p;
}
#endif
