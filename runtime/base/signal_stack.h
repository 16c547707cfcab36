/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a handler runs on the alternate signal stack.  Each load
 * and store in a handler that has interrupted a hook may ask this, so few
 * answers may take a system call. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/sys.h"

/* The kernel is asked again after so many answers, because the program may have
 * given up the alternate stack. */
#define WM_SIGNAL_STACK_ANSWERS 256

/* Returns whether the caller, but not @other, is on the alternate stack. */
static inline bool wm_is_on_signal_stack(uintptr_t other)
{
	/* the kernel's last "yes", which handlers may store at the same time */
	static __thread struct {
		uintptr_t low, size, other;
		unsigned left;
	} known __attribute__((tls_model(WM_TLS_MODEL)));
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	stack_t s = { .ss_flags = 0 };

	if (known.left && known.other == other &&
	    here - known.low < known.size) {
		known.left--;
		return true;
	}
	if (WM_SYS2(SYS_sigaltstack, NULL, &s) || !(s.ss_flags & SS_ONSTACK) ||
	    other - (uintptr_t)s.ss_sp <= s.ss_size)
		return false;
	known.left = 0;
	known.low = (uintptr_t)s.ss_sp;
	known.size = s.ss_size;
	known.other = other;
	known.left = WM_SIGNAL_STACK_ANSWERS;
	return true;
}
