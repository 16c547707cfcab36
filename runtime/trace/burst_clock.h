/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of WM_ACCESS_BURST: it lets streams stop, and their owners ask when
 * they may go on.  What it does is told to them as a word of the program is, but
 * in a count of its own, so that what threads have said of themselves stays.
 */
#ifndef WM_RUNTIME_BURST_CLOCK_H
#define WM_RUNTIME_BURST_CLOCK_H

#include <stdint.h>

#include "runtime/hooks.h"

/* In the service thread: do what the time is for; how many ns it may sleep. */
uint64_t wm_burst_clock(void) wm_hidden;
/* In a forked child, which has no service thread: all is recorded. */
void wm_burst_clock_forget(void) wm_hidden;

#endif
