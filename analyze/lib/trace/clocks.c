/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/reader.h"

#include "wm/trace_format.h"

/* Uses the line through START_TIME and the last NOW. */
double wm_trace_tick_ns(const struct wm_trace *t)
{
	if (t->clock != WMT_CLOCK_TSC || t->last.ticks <= t->start.ticks ||
	    t->last.mono_ns <= t->start.mono_ns)
		return 1;
	return (double)(t->last.mono_ns - t->start.mono_ns) /
	       (double)(t->last.ticks - t->start.ticks);
}

double wm_trace_jump(const struct wm_trace *t)
{
	double tick = wm_trace_tick_ns(t) * 1e-9, s;

	s = (double)t->ticks_back * tick;
	if ((double)t->mono_back * 1e-9 > s)
		s = (double)t->mono_back * 1e-9;
	if (t->latest > t->end_ticks &&
	    (double)(t->latest - t->end_ticks) * tick > s)
		s = (double)(t->latest - t->end_ticks) * tick;
	return s < 1 ? 0 : s;
}

double wm_trace_duration(const struct wm_trace *t, uint64_t ticks)
{
	return (double)ticks * wm_trace_tick_ns(t) * 1e-9;
}

double wm_trace_seconds(const struct wm_trace *t, uint64_t ticks)
{
	/* a coarse time stamp may be a little before the start */
	if (ticks <= t->start.ticks)
		return t->begin;
	return t->begin + wm_trace_duration(t, ticks - t->start.ticks);
}

uint64_t wm_trace_ticks(const struct wm_trace *t, uint64_t ns)
{
	double n = (double)ns / wm_trace_tick_ns(t) + 1;

	return n < 1e18 ? (uint64_t)n : (uint64_t)1e18;
}
