/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forked children: traced with WM_CHILDREN=1, and by daemon().
 *
 * The kernel wipes struct wm_state and all slots in a child (state.h); what
 * else the runtime knows is a copy of the parent's, in which another thread
 * may have been at work.  At its first event the child forgets all of it and
 * begins a trace of its own.  It has one thread then: even a new thread comes
 * with an allocation.  vfork() children share the parent's memory, and are
 * not children here.
 */
#ifndef WM_RUNTIME_CHILD_H
#define WM_RUNTIME_CHILD_H

#include <stdbool.h>

#include "runtime/hooks.h"

/* In a child without a trace: begin one; false: it is not wanted.  On a stack
 * of ours. */
bool wm_child_begin(void) wm_hidden;
bool wm_child_wanted(void) wm_hidden;

#endif
