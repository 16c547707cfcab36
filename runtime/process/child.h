/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forked children: traced with WM_CHILDREN=1, and by daemon().
 *
 * The kernel wipes struct wm_state and all slots in a child (state.h); all
 * other data of the runtime are copies of the parent's, which another thread
 * may have been changing.  At its first event the child forgets them and begins
 * a trace of its own.  It has one thread then, as even a new thread causes an
 * allocation.  vfork() children share the parent's memory, and are not children
 * here.
 */
#ifndef WM_RUNTIME_CHILD_H
#define WM_RUNTIME_CHILD_H

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* In a child without a trace: begin one; false: it is not wanted.  On a stack
 * of ours. */
bool wm_child_begin(void) wm_hidden;
/* The same for wm_aside(): *@begun, a bool, is the result. */
void wm_child_begin_aside(void *begun) wm_hidden;
bool wm_child_wanted(void) wm_hidden;

#endif
