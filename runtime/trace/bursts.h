/* SPDX-License-Identifier: Apache-2.0 */
/* The state and the times of bursts (WM_ACCESS_BURST), in ns of
 * CLOCK_MONOTONIC.  The service thread changes them; any thread may read
 * them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

void wm_bursts_begin(void) wm_hidden;
/* Returns the time from the last planned beginning of a burst to @t. */
uint64_t wm_bursts_into(uint64_t t) wm_hidden;
bool wm_bursts_on(void) wm_hidden;
void wm_bursts_change(bool to_burst, uint64_t t) wm_hidden;
/* Ends all bursts.  Returns false if there were none. */
bool wm_bursts_end(void) wm_hidden;
/* Returns whether this process is between two bursts. */
bool wm_bursts_rest(void) wm_hidden;
/* Stores the time within bursts so far, and the time since the first burst
 * began.  Returns false if there are no bursts. */
bool wm_bursts_told(uint64_t *recorded, uint64_t *elapsed) wm_hidden;

/* burst_clock.c: stops streams; their owners ask when they may continue. */

/* Begins or ends a burst if due; returns the ns that the service thread
 * sleeps. */
uint64_t wm_burst_clock(void) wm_hidden;
/* Called in a forked child, which has no service thread: bursts end there. */
void wm_burst_clock_forget(void) wm_hidden;
