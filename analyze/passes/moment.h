/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The moment that --at names, in a trace, unless it is a snapshot or a phase.
 * Pure functions; any thread.
 */
#ifndef WM_ANALYZE_MOMENT_H
#define WM_ANALYZE_MOMENT_H

#include <stdint.h>

#include "analyze/replay/pass.h"
#include "analyze/trace/reader.h"

/* Seconds since the start of the process. */
static inline double wm_moment_seconds(const struct wm_trace *t,
				       const struct wm_moment_wish *w)
{
	double end = wm_trace_seconds(t, t->end_ticks);

	return w->way == WM_MOMENT_SECONDS ? w->value :
	       w->way == WM_MOMENT_PART	   ? w->value * end :
					     end;
}

/* The last tick of @t that is not later; all are before the end. */
static inline uint64_t wm_moment_last(const struct wm_trace *t,
				      const struct wm_moment_wish *w)
{
	/* 1e-6: a tick that is given in decimals counts itself */
	double n = wm_moment_seconds(t, w) * 1e9 / wm_trace_tick_ns(t) + 1e-6;

	if (w->way != WM_MOMENT_SECONDS && w->way != WM_MOMENT_PART)
		return UINT64_MAX;
	return n < 1e18 ? t->start.ticks + (uint64_t)n : UINT64_MAX;
}

#endif
