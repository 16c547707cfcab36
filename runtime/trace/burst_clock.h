/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of WM_ACCESS_BURST stops streams; their owners ask when they may
 * continue.  Bursts have a count of their own in the wish, so that the wishes
 * of threads for themselves remain valid. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Begins or ends a burst if due; returns the ns that the service thread
 * sleeps. */
uint64_t wm_burst_clock(void) wm_hidden;
/* Called in a forked child, which has no service thread: bursts end there. */
void wm_burst_clock_forget(void) wm_hidden;
