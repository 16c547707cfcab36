/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses (WM_PAGES; static programs): the functions that wrappers call.
 * While page accesses are on, followed memory changes only by these calls.
 * Functions that return long make the call for the program and return the
 * kernel's result.
 */
#pragma once

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
/* Called when mmap has made this mapping with @prot and @flags. */
void wm_pages_mapped(const void *p, size_t bytes, int prot,
		     int flags) wm_hidden;
/* Called before the mapping is replaced by another one. */
void wm_pages_leave(const void *p, size_t bytes) wm_hidden;
/* Called before the break may move down from @from to @to, and again after that
 * call, whether it has moved or not. */
void wm_pages_break_down(const void *from, const void *to) wm_hidden;
void wm_pages_break_moved(const void *from, const void *to) wm_hidden;
long wm_pages_unmap(const void *p, size_t bytes) wm_hidden;
long wm_pages_remap(const void *old, size_t old_bytes, size_t bytes, int flags,
		    const void *want) wm_hidden;
long wm_pages_advise(const void *p, size_t bytes, int advice) wm_hidden;
long wm_pages_protect(const void *p, size_t bytes, int prot) wm_hidden;
/* Calls real(), which forks.  Returns the result of real(), or a negated errno
 * below -1. */
int wm_pages_fork(int (*real)(void)) wm_hidden;
/* Makes all followed memory private and ends epochs, for the reason @why, a
 * static text.  If that fails, returns -EAGAIN, and the caller must not make
 * the call for which it needs private memory. */
long wm_pages_end(const char *why) wm_hidden;
/* Prepares for a fork by another call than wm_pages_fork().  Returns false if
 * the process must not fork, because the child would share memory. */
bool wm_pages_before_fork(void) wm_hidden;
/* Makes the range private memory.  If @anonymous is true, the range is copied to
 * anonymous memory, and no thread may write to it during the call.  If it is
 * false, the range must not be moved afterwards.  Returns a negated errno if the
 * call fails. */
long wm_pages_make_private(const void *p, size_t bytes,
			   bool anonymous) wm_hidden;
/* Record that the kernel locks or unlocks memory (mlock): wm_pages_lock() for a
 * range, wm_pages_lock_all() for present memory (MCL_CURRENT) and future memory
 * (MCL_FUTURE).  Locking is recorded before the system call and unlocking after
 * it, except for memory that is still locked by the kernel. */
enum wm_pages_lock {
	WM_PAGES_UNLOCK,
	WM_PAGES_LOCK,
	WM_PAGES_LOCK_ON_FAULT, /* pages when they are touched */
};
void wm_pages_lock(const void *p, size_t bytes,
		   enum wm_pages_lock how) wm_hidden;
/* @flags are those of mlockall, or 0 for munlockall, or this value if the last
 * call was refused. */
#define WM_PAGES_LOCK_REFUSED (-1)
void wm_pages_lock_all(int flags) wm_hidden;
/* Called before the process sets RLIMIT_DATA.  The kernel does not count
 * followed memory as data, so pages end, and followed memory becomes private
 * again. */
void wm_pages_limit_data(void) wm_hidden;
/* Called when the calling thread may have changed its rights.  If it has, ends
 * pages and the service thread, which would keep the old rights. */
void wm_pages_rights(void) wm_hidden;
/* Called before a request that needs a process with one thread, or that binds
 * all threads.  Ends pages and the service thread. */
void wm_pages_confine(void) wm_hidden;
