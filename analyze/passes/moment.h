/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The moment that --at names, in a trace.  A pure function; any thread.
 */
#ifndef WM_ANALYZE_MOMENT_H
#define WM_ANALYZE_MOMENT_H

#include <stdint.h>

#include "analyze/trace/reader.h"

/* The last tick of @t that is not later than @seconds. */
static inline uint64_t wm_moment_tick(const struct wm_trace *t, double seconds)
{
	/* 1e-6: a tick that is given in decimals counts itself */
	double n = seconds * 1e9 / wm_trace_tick_ns(t) + 1e-6;

	return n < 1e18 ? t->start.ticks + (uint64_t)n : UINT64_MAX;
}

#endif
