/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses (WM_PAGES; static programs): the functions that wrappers call.
 * While page accesses are on, followed memory changes only by these calls.
 * Those that return long make the call for the program, and return the kernel's
 * result.
 */
#ifndef WM_RUNTIME_PAGE_HOOKS_H
#define WM_RUNTIME_PAGE_HOOKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/attributes.h"

extern _Atomic int wm_pages_on wm_hidden;
#ifdef WM_DYNAMIC
#define wm_pages_are_on() false
#else
#define wm_pages_are_on()                                                      \
	wm_unlikely(atomic_load_explicit(&wm_pages_on, memory_order_relaxed))
#endif
/* mmap has made this, with @prot and @flags. */
void wm_pages_mapped(const void *p, size_t bytes, int prot,
		     int flags) wm_hidden;
/* It is about to be replaced by another mapping. */
void wm_pages_leave(const void *p, size_t bytes) wm_hidden;
/* Called before the break may move down from @from to @to, and after that,
 * moved or not. */
void wm_pages_break_down(const void *from, const void *to) wm_hidden;
void wm_pages_break_moved(const void *from, const void *to) wm_hidden;
long wm_pages_unmap(const void *p, size_t bytes) wm_hidden;
long wm_pages_remap(const void *old, size_t old_bytes, size_t bytes, int flags,
		    const void *want) wm_hidden;
long wm_pages_advise(const void *p, size_t bytes, int advice) wm_hidden;
long wm_pages_protect(const void *p, size_t bytes, int prot) wm_hidden;
/* Calls real(), which forks; returns its result, or a negated errno below
 * -1. */
int wm_pages_fork(int (*real)(void)) wm_hidden;
/* Makes all of it private memory and ends epochs, for the reason @why, a static
 * text; else -EAGAIN, and the call that was to follow must not be made. */
long wm_pages_end(const char *why) wm_hidden;
/* The process is about to fork in another way; false: it must not, as memory
 * would be shared. */
bool wm_pages_before_fork(void) wm_hidden;
/* This becomes private memory; @anonymous: by copying, and no thread may write
 * to it meanwhile; else it must not be moved later.  Below 0: a negated
 * errno. */
long wm_pages_make_private(const void *p, size_t bytes,
			   bool anonymous) wm_hidden;
/* The kernel locks memory from now on, or not any more (mlock): @all: all
 * present memory (MCL_CURRENT), and future memory (MCL_FUTURE).  Locking is
 * recorded before the call, unlocking after it, except for memory that the
 * kernel still has locked. */
enum wm_pages_lock {
	WM_PAGES_UNLOCK,
	WM_PAGES_LOCK,
	WM_PAGES_LOCK_ON_FAULT, /* pages when they are touched */
};
void wm_pages_lock(const void *p, size_t bytes,
		   enum wm_pages_lock how) wm_hidden;
/* @flags: of mlockall; 0: munlockall; or: the last call was refused. */
#define WM_PAGES_LOCK_REFUSED (-1)
void wm_pages_lock_all(int flags) wm_hidden;
/* Called before the process sets RLIMIT_DATA.  The kernel does not count followed
 * memory as data, so pages end, and followed memory becomes private again. */
void wm_pages_limit_data(void) wm_hidden;
/* The calling thread may have changed its rights; if so, ends pages and the
 * thread that would keep the old rights. */
void wm_pages_rights(void) wm_hidden;
/* Before a request that needs a process with one thread, or binds all threads:
 * ends pages and that thread. */
void wm_pages_confine(void) wm_hidden;

#endif
