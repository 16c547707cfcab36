/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of --model: sizes, ranks, predictions, grids, nodes.
 *
 * A struct wm_model_args owns the names of the runs to check; the others
 * belong to the options.
 */
#ifndef WM_ANALYZE_MODEL_ARGS_H
#define WM_ANALYZE_MODEL_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/model/model_fit.h"
#include "analyze/report/opts.h"

#define WM_GRID_DIMS 3

struct wm_grid {
	double cells[WM_GRID_DIMS]; /* or ranks, of a decomposition */
	size_t dims; /* 0: none */
};

struct wm_model_ask {
	double n, p; /* p: 0 when it is not told */
};

struct wm_model_args {
	char **run; /* those to model, then those to check */
	size_t runs, checks;
	char **check; /* owned */
	double size[WM_MODEL_RUNS], ranks[WM_MODEL_RUNS]; /* 0: not told */
	struct wm_grid grid[WM_MODEL_RUNS], decomp[WM_MODEL_RUNS];
	size_t decomps;
	struct wm_model_ask ask[WM_MODEL_RUNS];
	size_t asks;
	bool working_set; /* is modelled, not the peak */
	uint64_t node; /* bytes; 0: not told */
	double per_node;
};

/* WM_USAGE with a message that says what to do. */
enum wm_status wm_model_args_parse(struct wm_model_args *a,
				   const struct wm_opts *o, struct wm_err *err);
void wm_model_args_release(struct wm_model_args *a);

/*
 * The job of @n ranks with a problem of size @p, with its faces if there are
 * grids: run number @run's grid, or for SIZE_MAX the last one, stretched to
 * @p.  Of the ways to cut it that of --decomp with as many ranks, else the
 * one with least surface; @smooth: boxes of any shape, as if ranks and cells
 * could be cut.
 */
void wm_model_args_point(const struct wm_model_args *a, size_t run, double n,
			 double p, bool smooth, struct wm_point *x);

#endif
