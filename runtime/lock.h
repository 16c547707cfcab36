/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock for the cold paths.  No libc, no threads library.
 *
 * The holder has all signals blocked, so that no handler can leave the
 * section by longjmp or be entered inside it.  Not recursive.
 *
 * In a child that a signal handler has forked in the middle of an event the
 * holder may not exist: there nobody waits, and nothing is done with the lock
 * but to give it back (wm_forked() in state.h).
 */
#ifndef WM_RUNTIME_LOCK_H
#define WM_RUNTIME_LOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/state.h"
#include "runtime/sys.h"

struct wm_lock {
	_Atomic int state; /* 0 free, 1 held, 2 held and waited for */
	uint64_t signals; /* the holder's mask */
};

static inline int wm_lock_try(struct wm_lock *l)
{
	uint64_t old;
	int expected = 0;

	wm_sys_block_signals(&old);
	/* acquire pairs with the release in wm_lock_drop() */
	if (atomic_compare_exchange_strong_explicit(&l->state, &expected, 1,
						    memory_order_acquire,
						    memory_order_relaxed)) {
		l->signals = old;
		return 1;
	}
	wm_sys_restore_signals(&old);
	return 0;
}

static inline void wm_lock_take(struct wm_lock *l)
{
	uint64_t old;

	if (wm_lock_try(l))
		return;
	wm_sys_block_signals(&old);
	while (atomic_exchange_explicit(&l->state, 2, memory_order_acquire) &&
	       !(wm_state && wm_forked(wm_state)))
		WM_SYS4(SYS_futex, &l->state, 128 /* FUTEX_WAIT_PRIVATE */, 2,
			0);
	l->signals = old;
}

static inline void wm_lock_drop(struct wm_lock *l)
{
	uint64_t old = l->signals;

	if (atomic_exchange_explicit(&l->state, 0, memory_order_release) == 2)
		WM_SYS3(SYS_futex, &l->state, 129 /* FUTEX_WAKE_PRIVATE */, 1);
	wm_sys_restore_signals(&old);
}

#endif
