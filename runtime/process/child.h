/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forked children are traced with WM_CHILDREN=1, and if daemon() makes them.
 *
 * The kernel wipes struct wm_state and all slots in a child (state.h).  All
 * other data of the runtime are copies, which another thread of the parent may
 * have been changing.  At its first event a traced child forgets these copies
 * (functions with names in _forget) and begins a trace of its own.  It has one
 * thread then, because even making a thread causes an allocation.  A vfork()
 * child is not a child in this sense.
 */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* Returns false if no trace is wanted.  Runs on the runtime's own stack. */
bool wm_child_begin(void) wm_hidden;
/* For wm_aside(): stores the result of wm_child_begin() in *@begun, a bool. */
void wm_child_begin_aside(void *begun) wm_hidden;
bool wm_child_wanted(void) wm_hidden;
