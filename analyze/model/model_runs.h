/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs of --model: reads them, and makes of them what the model asks for,
 * bytes by rank and site.
 *
 * A struct wm_model_runs owns everything in it.  Prints the notes of each run
 * on stderr while it reads.
 */
#ifndef WM_ANALYZE_MODEL_RUNS_H
#define WM_ANALYZE_MODEL_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/model/model.h"
#include "analyze/report/opts.h"

/* The name of the site that stands for static memory. */
#define WM_SITE_STATIC "(static memory)"

/* The options: sizes, predictions, checks (model_args.c). */
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

struct wm_model_job {
	char *path, *program;
	struct wm_point point;
	double bytes; /* measured of the worst rank, with static memory */
	bool census; /* of its static memory */
	double static_bytes;
	char build_id[2 * 64 + 1]; /* of the program; "": unknown */
	size_t first; /* sample of the model */
};

/* The details that sites have, where all runs can be told apart by them. */
struct wm_model_detail {
	bool lines; /* of calls: the runs are of one build */
	bool phases;
	bool census; /* static memory */
};

struct wm_model_runs {
	struct wm_model_args args;
	struct wm_model_job job[WM_MODEL_RUNS]; /* to model, then to check */
	size_t jobs;
	struct wm_model_detail with;
	struct wm_model model; /* to be fitted */
	enum wm_scaling scaling;
	char **note; /* one line each */
	size_t notes, note_cap;
	bool partial;
};

/* @names: call paths are names of functions, at the peak of a rank. */
enum wm_status wm_model_runs_read(struct wm_model_runs *r,
				  const struct wm_opts *o, bool names,
				  struct wm_err *err);
void wm_model_runs_release(struct wm_model_runs *r);

/* The size of the problem of a job of @n ranks that is not given: as in the
 * runs; with weak scaling it grows with the ranks. */
double wm_model_runs_size(const struct wm_model_runs *r, double n);

#endif
