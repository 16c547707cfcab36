/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/on_stack.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(stacks.h)

#include "runtime/base/depth.h"
#include "runtime/base/lock.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"

void *wm_stack_new(size_t bytes)
{
	char *p = wm_pool_map(WM_PAGE + bytes);

	if (!p)
		return NULL;
	WM_SYS3(SYS_mprotect, p, WM_PAGE, PROT_NONE);
	return p + WM_PAGE + bytes;
}

void wm_stack_switch(void *top, void (*f)(void *), void *arg) wm_hidden;
WM_STACK_SWITCH(wm_stack_switch);

void wm_on_stack(void *top, void (*f)(void *), void *arg)
{
	if (top)
		wm_stack_switch(top, f, arg);
	else
		f(arg);
}

static void run_on_stack(void *top, void (*f)(void *), void *arg)
{
	uintptr_t depth = wm_depth;

	/* Addresses on two stacks cannot be compared. */
	if (depth)
		wm_depth = 1;
	wm_is_aside = 1;
	wm_stack_switch(top, f, arg);
	wm_is_aside = 0;
	wm_depth = depth;
}

/* Returns false if there is no memory for a stack. */
static bool go_mapped(void (*f)(void *), void *arg)
{
	/* Shows the thread sanitizer the order in which the kernel gives the
	 * memory of one call to the next call. */
	static _Atomic unsigned unmapped;
	const size_t n = WM_PAGE + WM_ASIDE_BYTES;
	long p = WM_SYS6(SYS_mmap, 0, n, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (wm_sys_bad(p))
		return false;
	atomic_load_explicit(&unmapped, memory_order_acquire);
	WM_SYS3(SYS_mprotect, p, WM_PAGE, PROT_NONE);
	run_on_stack((char *)p + n, f, arg);
	atomic_fetch_add_explicit(&unmapped, 1, memory_order_release);
	WM_SYS2(SYS_munmap, p, n);
	return true;
}

static void *shared;
static struct wm_lock shared_lock;

void wm_aside_ready(void)
{
	shared = wm_stack_new(WM_ASIDE_BYTES);
}

static void go_shared(void (*f)(void *), void *arg)
{
	/* The holder may wait for a lock of the loader, which this thread may
	 * hold, or which a thread holds that waits for this thread. */
	if (!wm_lock_try(&shared_lock)) {
		if (go_mapped(f, arg))
			return;
		wm_lock_take(&shared_lock);
	}
	run_on_stack(shared, f, arg);
	wm_lock_drop(&shared_lock);
}

void wm_aside(void (*f)(void *), void *arg)
{
	uint64_t signals;
	void *top;

	if (wm_is_aside) {
		f(arg);
		return;
	}
	wm_sys_block_signals(&signals);
	top = wm_self ? wm_self->stack : NULL;
	if (top)
		run_on_stack(top, f, arg);
	else if (shared)
		go_shared(f, arg);
	else
		f(arg);
	wm_sys_restore_signals(&signals);
}

void wm_aside_once(void (*f)(void *), void *arg)
{
	uintptr_t depth = wm_depth;
	uint64_t signals;

	if (wm_is_aside) {
		f(arg);
		return;
	}
	wm_sys_block_signals(&signals);
	wm_depth = 1;
	if (!go_mapped(f, arg))
		f(arg);
	wm_depth = depth;
	wm_sys_restore_signals(&signals);
}
