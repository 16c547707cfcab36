/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a call path went on leaving memory behind while its rank ran.
 *
 * The time of a rank is cut into equal stretches.  If a path left blocks in
 * three or more stretches that are a quarter of the time apart, its blocks came
 * again and again, and the path grows.  If, however, the time after its last
 * block is much longer than any time between two blocks, the path has stopped;
 * if it is only a bit longer, the trend is unknown.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define WM_STRETCHES 16
#define WM_TREND_MS 100 /* a shorter time has no stretches */
#define WM_TREND_LATE 3 /* blocks: fewer are not WM_TREND_LATE_BLOCKS */

/* In rising order: if call paths or ranks differ, the highest value counts. */
enum wm_trend {
	WM_TREND_ONCE,
	WM_TREND_STOPPED,
	/* not known: */
	WM_TREND_LATE_BLOCKS, /* several, none before the last quarter */
	WM_TREND_PAUSED, /* the time after is longer, but not much */
	WM_TREND_CALLS, /* several calls together, whose lines are unknown */
	WM_TREND_BRIEF, /* several, in less than WM_TREND_MS */
	WM_TREND_GROWS,
};

/* The evidence of a rank: stretches of its time, as bits. */
struct wm_trend_marks {
	/* stretches in which blocks were allocated that were never freed; if
	 * there are none, blocks that were freed after MPI_Finalize began */
	uint16_t left;
	/* stretches in which realloc made a block larger than all before; they
	 * count if a block about as large was left */
	uint16_t moved;
	/* wm_trend_size() of the largest block, and of one left */
	uint8_t largest, largest_left;
	uint8_t blocks; /* number of blocks left; WM_TREND_LATE: or more */
	bool brief : 1; /* the time of the rank is too short to judge */
	bool late : 1; /* WM_TREND_LATE_BLOCKS, by finer times */
	bool cut : 1; /* the trace ended before the rank did */
};

/* Returns about four times the logarithm to base 2 of @bytes. */
uint8_t wm_trend_size(uint64_t bytes);
/* Returns whether none of @stretches is before the last quarter. */
bool wm_trend_is_late(uint16_t stretches);
/* Judges only by the stretches: ONCE, STOPPED, PAUSED or GROWS. */
enum wm_trend wm_trend_of(uint16_t stretches);
/* Adds the evidence of another call path of the same rank. */
void wm_trend_join(struct wm_trend_marks *to,
		   const struct wm_trend_marks *from);
enum wm_trend wm_trend_judge(const struct wm_trend_marks *m);
