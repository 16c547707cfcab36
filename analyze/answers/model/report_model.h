/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: reads its options and the runs that the model is made from
 * (model_runs.c, which prints their notes on stderr), makes the answers and a
 * sentence (model_answers.c), and renders them as tables (report_model.c) and
 * as a picture (svg_model.c).
 *
 * A struct wm_model_runs owns everything in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/units.h"
#include "analyze/lib/base/whole.h"
#include "analyze/job/run.h"
#include "analyze/answers/model/model.h"
#include "analyze/answers/opts.h"
#include "analyze/symbols/namesakes.h"

struct wm_model_job {
	char *run, *path; /* as given, and made printable */
	bool foreign; /* its program has another name than the first one */
	struct wm_point point;
	double bytes; /* measured bytes of the worst rank, with static memory */
	double static_bytes;
	size_t worst; /* its sample in the model */
};

struct wm_model_runs {
	/* runs of the model, then runs to check */
	struct wm_model_job job[WM_MODEL_RUNS];
	size_t runs, jobs; /* runs of the model; all runs */
	char *checks; /* names of the runs to check */
	struct wm_point ask[WM_MODEL_RUNS + 1]; /* .p: 0 if not given */
	size_t asks;
	/* details that the runs have (lines of calls: only within one build):
	 * .with while runs are read, .common to all runs */
	struct wm_model_detail {
		bool lines, phases, census;
	} with, common;
	char *program; /* of the first run, and its build-id; "": unknown */
	char build_id[2 * 64 + 1];
	struct wm_namesakes namesakes; /* of all runs */
	struct wm_model model; /* not yet fitted */
	struct wm_run said; /* only its notes */
	bool partial;
};

/* Reads the runs.  @r must be zero.  With @names, call paths have functions
 * without lines, at the peak of a rank. */
enum wm_status wm_model_runs_read(struct wm_model_runs *r,
				  const struct wm_opts *o, bool names,
				  struct wm_err *err);
void wm_model_runs_release(struct wm_model_runs *r);

/* Returns a job of @n ranks with the problem of the runs, scaled if weak. */
struct wm_point wm_model_runs_job(const struct wm_model_runs *r, double n);

/* A job that was measured or is predicted. */
struct wm_model_answer {
	const char *kind; /* "run", "check", "prediction" */
	struct wm_point point;
	struct wm_prediction worst; /* of its worst rank */
	const struct wm_model_job *job; /* NULL: not measured */
	double error; /* relative: 0.05 if the prediction is 5 % too high */
	bool missed; /* it lies outside of its interval and refutes the model */
};

struct wm_model_report {
	struct wm_model_runs runs;
	const char *quantity; /* "heap and static memory" */
	/* the jobs of the model, the checks, and other jobs to predict */
	struct wm_model_answer answer[3 * WM_MODEL_RUNS];
	size_t answers;
	/* the job that was missed by most; NULL: none */
	const struct wm_model_answer *missed;
	/* the predicted job with most ranks */
	const struct wm_model_answer *far;
	struct wm_point near; /* the largest run */
	/* a run that would show more; 0 ranks: none below .far */
	struct wm_point next;
};

/* Makes the answers for the runs, for the checks, and for the jobs to predict
 * or, if there are none, for the next three doublings.  @m->runs must be read,
 * and the rest of *@m must be zero. */
void wm_model_answers(struct wm_model_report *m);
struct wm_model_answer wm_model_answer(const struct wm_model_report *m,
				       const char *kind, struct wm_point x,
				       const struct wm_model_job *job);

/* Returns the conclusion: the need of the job that is farthest from the runs, or,
 * if a run was missed, that the model does not hold.  The caller frees it.  NULL:
 * memory is short. */
char *wm_model_sentence(const struct wm_model_report *m);
/* "64 ranks and a problem of 4,000,000" */
#define WM_MODEL_TEXT 256
const char *wm_model_job_text(const struct wm_point *x, char *text);
/* "43.3 MiB of heap and static memory (between 43.0 MiB and 44.3 MiB)" */
const char *wm_model_need(const struct wm_model_report *m,
			  const struct wm_prediction *p, char *text);

void wm_model_svg(const void *report, FILE *out);
