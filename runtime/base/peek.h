/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of this process that may not be there, or may go meanwhile. */
#ifndef WM_RUNTIME_PEEK_H
#define WM_RUNTIME_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/sys.h"
#include "runtime/hooks.h"

/* How many of @n bytes @from could be read into @to, from the first on.  Any
 * thread, with any lock held. */
static inline size_t wm_peek(uint64_t from, void *to, size_t n)
{
	struct {
		uint64_t base, bytes;
	} local = { (uintptr_t)to, n }, remote = { from, n };
	long r = WM_SYS6(SYS_process_vm_readv, wm_sys_getpid(), &local, 1,
			 &remote, 1, 0);

	return wm_sys_bad(r) ? 0 : (size_t)r;
}

/* Dynamic programs.  Before the program runs; and whether it has made no filter
 * of system calls since, which may end it at a peek. */
void wm_peek_start(void) wm_hidden;
bool wm_peek_is_safe(void) wm_hidden;

#endif
