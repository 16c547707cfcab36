/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that come before libc has made the first thread's storage. */
#ifndef WM_RUNTIME_EARLY_H
#define WM_RUNTIME_EARLY_H

#include <stdint.h>

#include "runtime/hooks.h"

/* A value of wm_depth: nothing can be recorded yet. */
#define WM_DEPTH_EARLY 2
/* Calls that were not recorded for that. */
extern uint64_t wm_early_calls wm_hidden;

/* With wm_state there: the calls so far are lost. */
void wm_early_end(void) wm_hidden;

#endif
