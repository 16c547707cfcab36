/* SPDX-License-Identifier: Apache-2.0 */
/* The differences of libwmtrace.so, which LD_PRELOAD loads into a program that
 * was not relinked (wm-run(1)).  In relinked programs the weak functions are
 * NULL. */
#pragma once

#include <stdbool.h>

/* Whether this process is traced.  Called before wm_state exists, while there
 * is one thread. */
bool wm_preload_wants(void) __attribute__((weak));
/* Hides the wrappers of mmap and similar functions from dlsym(), in programs
 * where that mends more than it breaks.  Called by the library's first
 * constructor. */
void wm_preload_hide_mappings(void);
bool wm_preload_mpi(void) __attribute__((weak));
