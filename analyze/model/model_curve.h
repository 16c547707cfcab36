/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a model says along a line of jobs, for pictures: from the smallest that
 * was measured or is asked about to the largest, in equal steps of a logarithm.
 */
#ifndef WM_ANALYZE_MODEL_CURVE_H
#define WM_ANALYZE_MODEL_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/model/report_model.h"

#define WM_CURVE_STEPS 96

struct wm_model_curve {
	/* x is P, the size of the problem, where all runs have as many ranks;
	 * else N, the ranks */
	bool by_size;
	double low, high; /* of x */
	double measured_low, measured_high;
	double top; /* bytes at the upper edge */
	size_t count;
	struct wm_model_answer at[WM_CURVE_STEPS];
};

double wm_model_curve_x(const struct wm_model_curve *c,
			const struct wm_point *x);
void wm_model_curve_find(struct wm_model_curve *c,
			 const struct wm_model_report *m);

#endif
