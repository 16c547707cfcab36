/* SPDX-License-Identifier: Apache-2.0 */
/* WM_ACCESS_ONLY: the functions whose loads and stores are recorded. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* Finds the functions in the program's symbols, once in a process, and stores
 * them in wm_access_only.  Functions that do not exist are reported at the end
 * of the run.  Returns false if another thread is doing this.  Signals are
 * blocked, and the caller is on a stack of ours. */
bool wm_hooked_functions_read(void) wm_hidden;
