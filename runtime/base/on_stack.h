/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call a function on a stack of the runtime's own.  Programs run on stacks of a
 * few KiB (coroutines, signal stacks), and the kernel takes up to 3.5 KiB of
 * those for the frame of a signal: what we need for more than an event that is
 * as usual must not be theirs.  docs/decisions.md has the bound; tests/runtime/t3140 holds
 * it.
 *
 * Signals are blocked there: a handler could leave the stack by longjmp, or
 * come to it a second time.  Debuggers and unwinders see through it.  The part
 * of each architecture is in on_stack.c.
 */
#ifndef WM_RUNTIME_ON_STACK_H
#define WM_RUNTIME_ON_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* Of a thread's own stack; libunwind takes the most of it. */
#define WM_ASIDE_BYTES (32u << 10)

/* A stack of @bytes above a guard page; returns its top, NULL: no memory. */
void *wm_stack_new(size_t bytes) wm_hidden;

/*
 * f(arg) on the stack that ends at @top, a multiple of 16; on the present one
 * when @top is NULL or the architecture has no code for it.  With all signals
 * blocked.
 */
void wm_on_stack(void *top, void (*f)(void *), void *arg) wm_hidden;

/* wm_aside() (hooks.h) for what comes before there is any memory: on a stack
 * that goes with the call. */
void wm_aside_once(void (*f)(void *), void *arg) wm_hidden;
/* The stack of threads that have no slot yet; without memory: theirs. */
void wm_aside_ready(void) wm_hidden;

#endif
