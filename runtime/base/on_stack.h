/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls functions on a stack of the runtime's own.  A program's stack
 * (coroutine, signal stack) may have a few KiB, of which the kernel takes up to
 * 3.5 KiB for the frame of a signal, so only an ordinary event may run there.
 * docs/decisions.md has the bound, and tests/runtime/t3140 checks it.
 *
 * Signals are blocked on our stack, because a handler could leave the stack by
 * longjmp, or enter it a second time.
 */
#pragma once

#include <stddef.h>

#include "runtime/base/attributes.h"

/* Bytes of a thread's own stack; libunwind uses most of it. */
#define WM_ASIDE_BYTES (32u << 10)

/* Makes a stack of @bytes above a guard page.  Returns its top, or NULL. */
void *wm_stack_new(size_t bytes) wm_hidden;

/* Calls f(arg) on the stack that ends at @top, a multiple of 16, or on the
 * present stack if @top is NULL.  The caller has blocked all signals. */
void wm_on_stack(void *top, void (*f)(void *), void *arg) wm_hidden;

/* Calls f(arg) on a stack of our own, with all signals blocked, because f needs
 * more than the 400 bytes that we may take of the program's stack.  Any thread
 * may call this at any time, even within such a call. */
void wm_aside(void (*f)(void *), void *arg);
/* Likewise, on a stack that is mapped for this call. */
void wm_aside_once(void (*f)(void *), void *arg) wm_hidden;
/* Makes the stack for threads without a slot.  If there is no memory, these
 * threads use their own stacks. */
void wm_aside_ready(void) wm_hidden;
