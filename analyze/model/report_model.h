/* SPDX-License-Identifier: Apache-2.0 */
/* What --model answers, and how it is told.  Borrows the runs. */
#ifndef WM_ANALYZE_REPORT_MODEL_H
#define WM_ANALYZE_REPORT_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/base/error.h"
#include "analyze/base/whole.h"
#include "analyze/model/model_runs.h"
#include "analyze/render/doc.h"

/* A job that is asked about, or one that was measured. */
struct wm_model_answer {
	struct wm_point point;
	struct wm_prediction said[WM_VIEWS];
	const struct wm_model_job *job; /* NULL: it is not measured */
};

struct wm_model_report {
	const struct wm_model_runs *runs;
	struct wm_model_answer run[WM_MODEL_RUNS], check[WM_MODEL_RUNS];
	struct wm_model_answer ask[WM_MODEL_RUNS];
	size_t checks, asks;
	/* the largest job asked about, or measured: shares are of it */
	struct wm_point far, near; /* near: the largest that was measured */
	/* 0: none, or not asked for */
	uint64_t fits[WM_VIEWS], overflows[WM_VIEWS];
};

/*
 * model_answers.c: for the runs, the checks, and the jobs that are asked
 * about: the next three doublings if none is.  Borrows @r.
 */
void wm_model_answers(struct wm_model_report *m, struct wm_model_runs *r);
/* What the model says of a job of @n ranks with a problem of size @p, whose
 * boxes, where there are grids, have the best shape. */
void wm_model_answer_at(struct wm_model_answer *a,
			const struct wm_model_runs *r, double n, double p);
/* Relative: 0.05 when 5 % too much were predicted. */
double wm_model_error(const struct wm_model_answer *a, enum wm_view v);

/* Sites of a part, most bytes at @x first; malloc'ed, NULL: no memory. */
const struct wm_model_site **wm_model_order(const struct wm_model_part *p,
					    const struct wm_point *x);

/* report_model_jobs.c: the tables of runs and predictions; all in one. */
void wm_model_jobs(const struct wm_model_report *m, struct wm_doc *d);
/* Start, build and command of each run. */
void wm_model_origins(const struct wm_model_report *m, struct wm_doc *d);
void wm_model_table(const struct wm_model_report *m, struct wm_doc *d);
/* report_model_text.c: what people read. */
enum wm_status wm_model_people(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err);
/* The sentence that comes first. */
void wm_model_sentence(const struct wm_model_report *m, struct wm_doc *d);
/* svg_model.c: the picture, SVG 1.1. */
void wm_model_svg(const struct wm_model_report *m, FILE *out);
/* report_model_json.c: the whole object; and its keys but the models of other
 * ranks than the worst, with at most @most sites of a list. */
enum wm_status wm_model_data(const struct wm_model_report *m, struct wm_json *j,
			     struct wm_err *err);
enum wm_status wm_model_keys(const struct wm_model_report *m, size_t most,
			     struct wm_json *j, struct wm_err *err);
/* model_page.c: the page of --model --html, with the plain part in it. */
enum wm_status wm_model_page(const struct wm_model_report *m,
			     const struct wm_opts *o, FILE *out,
			     struct wm_err *err);

#endif
