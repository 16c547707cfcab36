/* SPDX-License-Identifier: Apache-2.0 */
/* The process begins, forks, or has libwmtrace.so: the functions that wrappers
 * call. */
#ifndef WM_RUNTIME_PROCESS_HOOKS_H
#define WM_RUNTIME_PROCESS_HOOKS_H

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* Before libc starts: wrappers may be called from now on. */
void wm_early_begin(char **argv) wm_hidden;
/* Whether thread-local storage can be used, before which no other function of
 * the runtime may be called. */
bool wm_thread_ready(void) wm_hidden;

/* Called around a fork whose child continues as this process, with @on before
 * and without it after, in parent and child: the child is traced. */
void wm_follow_child(bool on) wm_hidden;

/* Only in libwmtrace.so: the next function of this name, wherever it was
 * loaded; NULL: none. */
void *wm_preload_next(const char *name) wm_hidden;

#endif
