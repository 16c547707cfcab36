/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The differences of libwmtrace.so, which LD_PRELOAD brings into a program
 * that was not relinked (wm-run(1)).
 *
 * The functions are weak: their addresses are NULL in relinked programs.
 */
#ifndef WM_RUNTIME_PRELOAD_H
#define WM_RUNTIME_PRELOAD_H

#include <stdbool.h>

/* Whether this process is traced.  Before wm_state exists; one thread. */
bool wm_preload_wants(void) __attribute__((weak));
/* Hides our mmap and its kind from dlsym() where that mends more than it breaks.
 * The library's first constructor calls it. */
void wm_preload_hide_mappings(void);
/* Whether the program has an MPI library at its start. */
bool wm_preload_mpi(void) __attribute__((weak));

#endif
