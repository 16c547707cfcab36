/* SPDX-License-Identifier: Apache-2.0 */
/* libwmtrace.so, which LD_PRELOAD loads into a program that was not relinked
 * (wm-run(1)).  In relinked programs the weak functions are NULL. */
#pragma once

#include <stdbool.h>

/* Called before wm_state exists, while there is one thread. */
bool wm_preload_wants(void) __attribute__((weak));
/* Hides mmap and similar functions from dlsym() where that mends more than it
 * breaks.  Called by the library's first constructor. */
void wm_preload_hide_mappings(void);
bool wm_preload_mpi(void) __attribute__((weak));
