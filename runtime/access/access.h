/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every load and store, as the compiler's hooks tell of them (-fsanitize=thread).
 *
 * In an object of its own, which only the program with hooks is linked with.
 * Hooks are called in any thread, in signal handlers, before main, and in a
 * forked child; they take nothing from the program's heap, and leave errno as
 * it is.
 */
#ifndef WM_RUNTIME_ACCESS_H
#define WM_RUNTIME_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

enum wm_access_kind {
	WM_ACCESS_READ,
	WM_ACCESS_WRITE,
	WM_ACCESS_MODIFY, /* read and write of one place in one operation */
};

/* @bytes at @p are about to be accessed by the caller of the hook. */
static inline void wm_access(const volatile void *p, unsigned bytes,
			     enum wm_access_kind kind)
{
	(void)p;
	(void)bytes;
	(void)kind;
}

/* The same, of a number of bytes that differs from call to call. */
static inline void wm_access_range(const void *p, size_t bytes,
				   enum wm_access_kind kind)
{
	(void)p;
	(void)bytes;
	(void)kind;
}

#endif
