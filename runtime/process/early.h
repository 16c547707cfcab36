/* SPDX-License-Identifier: Apache-2.0 */
/* Calls before libc has made the first thread's storage. */
#pragma once

#include "runtime/base/attributes.h"

#define WM_DEPTH_EARLY 2

/* Removes the runtime's storage for the first thread.  Called when libc's
 * exists. */
void wm_early_end(void) wm_hidden;
