/* SPDX-License-Identifier: Apache-2.0 */
/* The frame that the kernel makes for a signal handler. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#define WM_USER_CODE 0x33 /* code segment of 64-bit programs */

/* Its alignment, and the number of its bytes that are read. */
#define WM_SAVED_ALIGN 16
#define WM_SAVED_BYTES offsetof(ucontext_t, uc_sigmask)

/* Whether @at looks like the registers, as saved by the kernel, of code that
 * ran on the stack of @outer, less than @far below @outer. */
static inline bool wm_is_saved(uintptr_t at, uintptr_t outer, uintptr_t far)
{
	const ucontext_t *c = (const void *)at;
	const greg_t *r = c->uc_mcontext.gregs;
	uintptr_t vectors = (uintptr_t)c->uc_mcontext.fpregs;

	return !c->uc_link && (r[REG_CSGSFS] & 0xffff) == WM_USER_CODE &&
	       outer - (uintptr_t)r[REG_RSP] < far &&
	       (!vectors || (vectors > at && vectors - at < far));
}
