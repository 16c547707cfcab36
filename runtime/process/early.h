/* SPDX-License-Identifier: Apache-2.0 */
/* Calls before libc has made the first thread's storage. */
#pragma once

#include "runtime/base/attributes.h"

/* A value of wm_depth: nothing can be recorded yet. */
#define WM_DEPTH_EARLY 2

/* Removes the runtime's own storage for the first thread.  Called when libc's
 * storage exists. */
void wm_early_end(void) wm_hidden;
