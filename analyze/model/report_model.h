/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What --model answers: made once (model_answers.c), and told by tables
 * (report_model.c), a sentence (model_text.c) and a picture (svg_model.c).
 */
#ifndef WM_ANALYZE_REPORT_MODEL_H
#define WM_ANALYZE_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/base/units.h"
#include "analyze/base/whole.h"
#include "analyze/model/model_runs.h"

/* A job that was measured, or one that is asked about. */
struct wm_model_answer {
	const char *kind; /* "run", "check", "prediction" */
	struct wm_point point;
	struct wm_prediction said[WM_VIEWS];
	const struct wm_model_job *job; /* NULL: it is not measured */
};

#define WM_CURVE_STEPS 96

struct wm_model_report {
	struct wm_model_runs runs;
	/* those modelled, the checks, those that are asked about */
	struct wm_model_answer answer[3 * WM_MODEL_RUNS];
	size_t answers;
	/* The check whose worst rank was missed most; NULL: none.  Measured is
	 * at most so many times what was predicted, and the other way round. */
	const struct wm_model_answer *missed;
	double above, below;
	/* of those that are asked about the one with most ranks; the largest
	 * that was measured; and the highest role and phase of the former */
	const struct wm_model_answer *far;
	struct wm_point near;
	size_t role, part;
	/* For pictures: jobs from the smallest to the largest, in equal steps of
	 * a logarithm; of P where all runs have as many ranks, else of N. */
	bool by_size;
	struct wm_model_answer step[WM_CURVE_STEPS];
	size_t steps;
};

/* For the runs, the checks, and the jobs that are asked about: the next three
 * doublings if none is.  The runs are read, the rest of *@m is zero. */
void wm_model_answers(struct wm_model_report *m);
/* Relative: 0.05 when 5 % too much were predicted. */
double wm_model_error(const struct wm_model_answer *a, enum wm_view v);
/* Whether a check refutes the model: it lies outside of its interval. */
bool wm_model_missed(const struct wm_model_answer *a);

/* ---- model_text.c ---- */

/* "24.0 KiB * P/N + 3.10 MiB": of a role in a part, but for what is below
 * 0.05 % of the jobs of @m; or of @fit.  malloc'ed, NULL: no memory. */
char *wm_model_formula(const struct wm_model_report *m, size_t role,
		       size_t part, const struct wm_fit *fit);
/* "With 64 ranks the worst rank needs 1.0 MiB (between ...)...." malloc'ed,
 * NULL: no memory. */
char *wm_model_sentence(const struct wm_model_report *m);
/* "64 ranks and a problem of 4,000,000" */
void wm_model_job_text(const struct wm_point *x, FILE *out);
/* "43.3 MiB (between 43.0 MiB and 44.3 MiB)" */
void wm_model_need(const struct wm_prediction *p, FILE *out);

/* svg_model.c: the picture, SVG 1.1. */
void wm_model_svg(const struct wm_model_report *m, FILE *out);

#endif
