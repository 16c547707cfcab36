/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a call path kept leaving memory behind while its rank ran.  The time
 * of a rank is cut into equal stretches.  A path grows if it left blocks in
 * three or more stretches that are a quarter of the time apart.  But if the
 * time after its last block is much longer than any time between two blocks,
 * the path has stopped; if that time is only a little longer, the trend is
 * unknown. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define WM_STRETCHES 16
#define WM_TREND_MS 100 /* a shorter time has no stretches */
#define WM_TREND_LATE 3 /* blocks; with fewer never WM_TREND_LATE_BLOCKS */

/* If call paths or ranks differ, the highest value counts. */
enum wm_trend {
	WM_TREND_ONCE,
	WM_TREND_STOPPED,
	/* unknown: */
	WM_TREND_LATE_BLOCKS, /* several blocks, none before the last quarter */
	WM_TREND_PAUSED, /* the time after the last block is a little longer */
	WM_TREND_CALLS, /* several calls together, whose lines are unknown */
	WM_TREND_BRIEF, /* several blocks, in less than WM_TREND_MS */
	WM_TREND_GROWS,
};

/* The evidence from one rank: a bit for each stretch of its time. */
struct wm_trend_marks {
	/* stretches that allocated blocks which were never freed or, without
	 * such blocks, blocks freed after MPI_Finalize began */
	uint16_t left;
	/* stretches in which realloc made a block larger than all before; valid
	 * if a block of about that size was left */
	uint16_t moved;
	/* wm_trend_size() of the largest block, and of the largest left */
	uint8_t largest, largest_left;
	uint8_t blocks; /* blocks left, up to WM_TREND_LATE */
	bool brief : 1; /* the rank ran too briefly for a trend */
	bool late : 1; /* WM_TREND_LATE_BLOCKS, from finer times */
	bool cut : 1;
};

/* Returns about four times the logarithm to base 2 of @bytes. */
uint8_t wm_trend_size(uint64_t bytes);
bool wm_trend_is_late(uint16_t stretches);
/* Returns ONCE, STOPPED, PAUSED or GROWS, only from the stretches. */
enum wm_trend wm_trend_of(uint16_t stretches);
/* The evidence may be from another call path of the same rank. */
void wm_trend_join(struct wm_trend_marks *to,
		   const struct wm_trend_marks *from);
enum wm_trend wm_trend_judge(const struct wm_trend_marks *m);
