/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call a function on another stack: programs run on stacks of a few KiB
 * (coroutines, signal stacks), and what a flush needs is our business.
 *
 * Any thread with all signals blocked: a handler on the other stack could
 * leave it by longjmp, or come to it a second time.  Debuggers and unwinders
 * see through it.  The part of each architecture is in on_stack.c.
 */
#ifndef WM_RUNTIME_ON_STACK_H
#define WM_RUNTIME_ON_STACK_H

#include <stddef.h>

#include "runtime/hooks.h"

/* A stack of @bytes above a guard page; returns its top, NULL: no memory. */
void *wm_stack_new(size_t bytes) wm_hidden;

/*
 * f(arg) on the stack that ends at @top, a multiple of 16; on the present one
 * when @top is NULL or the architecture has no code for it.
 */
void wm_on_stack(void *top, void (*f)(void *), void *arg) wm_hidden;

#endif
