/* SPDX-License-Identifier: Apache-2.0 */
/* Page accesses (WM_PAGES; static programs): while they are on, followed memory
 * changes only by these functions, which wrappers call.  A function that
 * returns long makes the program's call and returns the kernel's result. */
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
void wm_pages_mapped(const void *p, size_t bytes, int prot,
		     int flags) wm_hidden;
/* Called before another mapping replaces this one. */
void wm_pages_leave(const void *p, size_t bytes) wm_hidden;
/* Called before the break may move down, and again after that call, whether it
 * has moved or not. */
void wm_pages_break_down(const void *from, const void *to) wm_hidden;
void wm_pages_break_moved(const void *from, const void *to) wm_hidden;
long wm_pages_unmap(const void *p, size_t bytes) wm_hidden;
long wm_pages_remap(const void *old, size_t old_bytes, size_t bytes, int flags,
		    const void *want) wm_hidden;
long wm_pages_advise(const void *p, size_t bytes, int advice) wm_hidden;
long wm_pages_protect(const void *p, size_t bytes, int prot) wm_hidden;
/* Forks by real().  Returns its result, or a negated errno below -1. */
int wm_pages_fork(int (*real)(void)) wm_hidden;
/* Makes all followed memory private, and ends epochs for the reason @why, a
 * static text.  Returns -EAGAIN if that fails: the caller must not make the
 * call for which it needs private memory. */
long wm_pages_end(const char *why) wm_hidden;
/* Prepares for a fork by another call than wm_pages_fork().  Returns false if
 * the process must not fork, because the child would share memory. */
bool wm_pages_before_fork(void) wm_hidden;
/* Makes the range private: with @anonymous as a copy, and no thread may write
 * to it meanwhile; without, it must not be moved later.  Returns a negated
 * errno if that fails. */
long wm_pages_make_private(const void *p, size_t bytes,
			   bool anonymous) wm_hidden;
/* For mlock: a range, or present (MCL_CURRENT) and future memory (MCL_FUTURE).
 * Called before the system call for locking, and after it for unlocking, but
 * not for memory that is still locked. */
enum wm_pages_lock {
	WM_PAGES_UNLOCK,
	WM_PAGES_LOCK,
	WM_PAGES_LOCK_ON_FAULT, /* pages when they are touched */
};
void wm_pages_lock(const void *p, size_t bytes,
		   enum wm_pages_lock how) wm_hidden;
/* @flags are those of mlockall, 0 for munlockall, or this value if the last
 * call was refused. */
#define WM_PAGES_LOCK_REFUSED (-1)
void wm_pages_lock_all(int flags) wm_hidden;
/* Called before RLIMIT_DATA is set: the kernel does not count followed memory
 * as data, so it becomes private again. */
void wm_pages_limit_data(void) wm_hidden;
/* Called when the thread may have changed its rights: then pages end, and the
 * service thread, which would keep the old rights. */
void wm_pages_rights(void) wm_hidden;
/* Called before a request that needs a process with one thread, or affects all
 * threads: pages and the service thread end. */
void wm_pages_confine(void) wm_hidden;
