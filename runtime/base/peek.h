/* SPDX-License-Identifier: Apache-2.0 */
/* Reads memory of this process that may be unmapped, even during the read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/sys.h"

/* Returns the number of bytes that could be read, from the first on.  Any
 * thread may call this with any lock held. */
static inline size_t wm_peek(uint64_t from, void *to, size_t n)
{
	struct {
		uint64_t base, bytes;
	} local = { (uintptr_t)to, n }, remote = { from, n };
	long r = WM_SYS6(SYS_process_vm_readv, wm_sys_getpid(), &local, 1,
			 &remote, 1, 0);

	return wm_sys_bad(r) ? 0 : (size_t)r;
}

/* wm_peek_start() is called before the program runs.  wm_peek_is_safe() returns
 * whether the thread still has the filters of system calls from then: a new
 * filter may end the program at a peek, at waitid(), or at another call that the
 * program does not make. */
void wm_peek_start(void) wm_hidden;
bool wm_peek_is_safe(void) wm_hidden;
