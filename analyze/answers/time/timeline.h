/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of the chosen rank or of all ranks, in a given number of points,
 * for the table and the picture.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

struct wm_timeline_point {
	double from; /* seconds; the point ends where the next one begins */
	uint64_t max; /* highest live bytes in it, of any rank */
	uint64_t end; /* live bytes at its end; for one rank */
	uint64_t low, mean; /* lowest and mean of the ranks' highest values */
};

struct wm_points {
	struct wm_timeline_point *point;
	size_t count;
	double step; /* seconds */
	uint64_t max; /* of all points */
	bool all; /* of all ranks */
};

/* Makes about @count points; 0: as many as there are. */
enum wm_status wm_points_make(struct wm_points *p, const struct wm_analysis *a,
			      size_t count, struct wm_err *err);
void wm_points_release(struct wm_points *p);
