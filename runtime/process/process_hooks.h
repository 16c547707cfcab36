/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that wrappers call when the process begins or forks, or if it
 * has libwmtrace.so. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* Called before libc starts: from now on wrappers may be called. */
void wm_early_begin(char **argv) wm_hidden;
/* Whether thread-local storage can be used.  If not, no other function may be
 * called. */
bool wm_thread_ready(void) wm_hidden;

/* Has the child of a fork traced that continues as this process.  Called with
 * @on before the fork, and without @on after it, in both processes. */
void wm_follow_child(bool on) wm_hidden;

/* Only in libwmtrace.so: returns the next function of this name, or NULL. */
void *wm_preload_next(const char *name) wm_hidden;
