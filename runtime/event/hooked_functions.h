/* SPDX-License-Identifier: Apache-2.0 */
/* WM_ACCESS_ONLY: the functions whose loads and stores are recorded. */
#ifndef WM_RUNTIME_HOOKED_FUNCTIONS_H
#define WM_RUNTIME_HOOKED_FUNCTIONS_H

#include <stdbool.h>

#include "runtime/base/attributes.h"

/*
 * Finds the functions in the program's symbols, once in a process, and stores
 * them in wm_access_only; the end of the run reports those that do not exist.
 * false: another thread is doing it.  With signals blocked, on a stack of ours.
 */
bool wm_hooked_functions_read(void) wm_hidden;

#endif
