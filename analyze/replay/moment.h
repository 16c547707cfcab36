/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The moment that lists are about when it is not the peak (--at TIME).
 *
 * One moment for all traces that a process reads: set before the first of them
 * is opened, and only read from then on, by any number of threads.  The pass
 * `moment` then puts what was alive at that time where the breakdown at the
 * peak would be, in wm_use.peak_bytes and peak_blocks, so that every list can
 * be asked for any time.
 */
#ifndef WM_ANALYZE_MOMENT_H
#define WM_ANALYZE_MOMENT_H

#include "analyze/replay/pass.h"

/* Seconds since the start of each process. */
void wm_moment_set(double seconds);
double wm_moment_get(void);

#endif
