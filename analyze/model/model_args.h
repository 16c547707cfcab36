/* SPDX-License-Identifier: Apache-2.0 */
/* The options of --model: sizes, predictions, checks. */
#ifndef WM_ANALYZE_MODEL_ARGS_H
#define WM_ANALYZE_MODEL_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/model/model_fit.h"
#include "analyze/report/opts.h"

struct wm_model_args {
	char *run[WM_MODEL_RUNS]; /* those to model, then those to check */
	size_t runs, checks;
	char *names; /* of the latter; malloc'ed */
	double size[WM_MODEL_RUNS];
	struct wm_point ask[WM_MODEL_RUNS]; /* p: 0 when it is not told */
	size_t asks;
};

/* WM_USAGE with a message that says what to do. */
enum wm_status wm_model_args_parse(struct wm_model_args *a,
				   const struct wm_opts *o, struct wm_err *err);
void wm_model_args_release(struct wm_model_args *a);

#endif
