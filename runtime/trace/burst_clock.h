/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of WM_ACCESS_BURST stops streams; their owners ask when they may
 * continue.  Its switches reach the owners in the same way as a wish of the
 * program, but have a count of their own, so that the wishes of threads for
 * themselves remain valid.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Called by the service thread: switches if due; returns the ns to sleep. */
uint64_t wm_burst_clock(void) wm_hidden;
/* Called in a forked child, which has no service thread: bursts end there. */
void wm_burst_clock_forget(void) wm_hidden;
