/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is different in libwmtrace.so, which LD_PRELOAD brings into a program
 * that was not relinked (wm-run(1)).
 *
 * The functions are weak: their addresses are NULL in relinked programs.
 */
#ifndef WM_RUNTIME_PRELOAD_H
#define WM_RUNTIME_PRELOAD_H

#include <stdbool.h>

/* Is this process to be traced?  Before wm_state is there; one thread. */
bool wm_preload_wants(void) __attribute__((weak));
/* Is an MPI library in the program, at its start? */
bool wm_preload_mpi(void) __attribute__((weak));

#endif
