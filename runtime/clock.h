/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time stamps: ticks of the time-stamp counter where it is invariant, else
 * nanoseconds of CLOCK_MONOTONIC.
 *
 * Any thread once wm_clock_start() has run.
 */
#ifndef WM_RUNTIME_CLOCK_H
#define WM_RUNTIME_CLOCK_H

#include <stdint.h>

#include "runtime/hooks.h"

extern int wm_clock_kind wm_hidden; /* WMT_CLOCK_* */

void wm_clock_start(void) wm_hidden;
uint64_t wm_clock_ns(int clock) wm_hidden; /* CLOCK_MONOTONIC or _REALTIME */
uint64_t wm_clock_slow_ticks(void) wm_hidden;

static inline uint64_t wm_clock_ticks(void)
{
#if defined(__x86_64__)
	if (wm_likely(wm_clock_kind == 1 /* WMT_CLOCK_TSC */)) {
		uint32_t lo, hi;

		__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
		return (uint64_t)hi << 32 | lo;
	}
#endif
	return wm_clock_slow_ticks();
}

#endif
