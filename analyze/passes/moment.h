/* SPDX-License-Identifier: Apache-2.0 */
/* The moment in a trace that --at gives as a time.  Pure functions. */
#pragma once

#include <stdint.h>

#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/reader.h"
#include "analyze/passes/wish.h"

static inline double wm_moment_seconds(const struct wm_trace *t,
				       const struct wm_moment_wish *w)
{
	double end = wm_trace_seconds(t, t->end_ticks);

	return w->way == WM_MOMENT_SECONDS ?
		       w->value :
	       w->way == WM_MOMENT_PART ?
		       t->begin + w->value * (end - t->begin) :
		       end;
}

/* Returns the last tick of @t that is not later than @seconds. */
static inline uint64_t wm_moment_tick(const struct wm_trace *t, double seconds)
{
	/* 1e-6 keeps a tick whose decimal fraction was rounded down */
	double n = (seconds - t->begin) * 1e9 / wm_trace_tick_ns(t) + 1e-6;

	return n < 0 ? 0 : n < 1e18 ? t->start.ticks + (uint64_t)n : UINT64_MAX;
}

/* Lists show the moment @at, after all changes up to that tick, or the gain
 * within [@from, @to] that leaves the most bytes alive, if these are more than
 * at @at. */
struct wm_moment_span {
	uint64_t from, at, to;
};

static inline struct wm_moment_span
wm_moment_span(const struct wm_trace *t, const struct wm_moment_wish *w)
{
	double at = wm_moment_seconds(t, w);
	struct wm_moment_span s = { UINT64_MAX, UINT64_MAX, UINT64_MAX };

	if (w->way != WM_MOMENT_SECONDS && w->way != WM_MOMENT_PART)
		return s;
	s.at = s.to = wm_moment_tick(t, at);
	if (w->doubt > 0) {
		s.to = wm_moment_tick(t, at + w->doubt);
		s.from = wm_moment_tick(t, at - w->doubt) + 1;
	}
	return s;
}
