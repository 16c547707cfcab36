/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock for the cold paths, without libc or a threads library.  It is not
 * recursive.
 *
 * The holder has all signals blocked, so that no handler can leave the section
 * by longjmp or enter it.  The state includes the number of traced forks at
 * which the lock was taken: in a traced child (child.h) a lock that the parent
 * took is free.  In an untraced child no thread waits for a lock.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/base/sys.h"

struct wm_lock {
	/* 0: free; else forks << 2 | 1 (held) or 2 (held and waited for) */
	_Atomic int state;
	bool masks;
	uint64_t signals;
};

static inline bool wm_lock_is_free(int state)
{
	return state == 0 || state >> 2 != wm_lock_forks;
}

static inline bool wm_lock_try(struct wm_lock *l)
{
	bool masks = !wm_is_aside;
	uint64_t old = 0;
	int expected = atomic_load_explicit(&l->state, memory_order_relaxed);

	/* A handler that ran between taking the lock and blocking signals would
	 * wait for its own thread for ever. */
	if (masks)
		wm_sys_block_signals(&old);
	/* acquire pairs with the release in wm_lock_wake() */
	if (wm_lock_is_free(expected) &&
	    atomic_compare_exchange_strong_explicit(&l->state, &expected,
						    wm_lock_forks << 2 | 1,
						    memory_order_acquire,
						    memory_order_relaxed)) {
		l->masks = masks;
		l->signals = old;
		return true;
	}
	if (masks)
		wm_sys_restore_signals(&old);
	return false;
}

static inline void wm_lock_wait(_Atomic int *state)
{
	/* Other threads may be waiting, so the release makes a system call. */
	int held = wm_lock_forks << 2 | 2;

	while (!wm_lock_is_free(
		       atomic_exchange_explicit(state, held,
						memory_order_acquire)) &&
	       !(wm_state && wm_forked(wm_state)))
		WM_SYS4(SYS_futex, state, 128 /* FUTEX_WAIT_PRIVATE */, held,
			0);
}

static inline void wm_lock_wake(_Atomic int *state)
{
	/* release pairs with the acquires of the two functions above */
	if (atomic_exchange_explicit(state, 0, memory_order_release) & 2)
		WM_SYS3(SYS_futex, state, 129 /* FUTEX_WAKE_PRIVATE */, 1);
}

static inline void wm_lock_take(struct wm_lock *l)
{
	bool masks = !wm_is_aside;
	uint64_t old = 0;

	if (wm_lock_try(l))
		return;
	if (masks)
		wm_sys_block_signals(&old);
	wm_lock_wait(&l->state);
	l->masks = masks;
	l->signals = old;
}

static inline void wm_lock_drop(struct wm_lock *l)
{
	/* The next holder writes these after the release. */
	uint64_t old = l->signals;
	bool masks = l->masks;

	wm_lock_wake(&l->state);
	if (masks)
		wm_sys_restore_signals(&old);
}
