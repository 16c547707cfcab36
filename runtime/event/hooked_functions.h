/* SPDX-License-Identifier: Apache-2.0 */
/* WM_ACCESS_ONLY: the functions whose loads and stores are recorded. */
#ifndef WM_RUNTIME_HOOKED_FUNCTIONS_H
#define WM_RUNTIME_HOOKED_FUNCTIONS_H

#include <stdbool.h>

#include "runtime/hooks.h"

/*
 * Read from the program's symbols where they are, once in a process, and let
 * wm_access_only say so; what cannot be found is said at the end of the run.
 * false: another thread is at it.  With signals blocked, on a stack of ours.
 */
bool wm_hooked_functions_read(void) wm_hidden;

#endif
