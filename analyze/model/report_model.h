/* SPDX-License-Identifier: Apache-2.0 */
/* What --model answers, and its forms.  Borrows the runs. */
#ifndef WM_ANALYZE_REPORT_MODEL_H
#define WM_ANALYZE_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/base/error.h"
#include "analyze/base/units.h"
#include "analyze/base/whole.h"
#include "analyze/model/model_runs.h"
#include "analyze/render/doc.h"

/* A job that is asked about, or one that was measured. */
struct wm_model_answer {
	struct wm_point point;
	struct wm_prediction said[WM_VIEWS];
	const struct wm_model_job *job; /* NULL: it is not measured */
};

#define WM_CURVE_STEPS 96

struct wm_model_report {
	const struct wm_model_runs *runs;
	struct wm_model_answer run[WM_MODEL_RUNS], check[WM_MODEL_RUNS];
	struct wm_model_answer ask[WM_MODEL_RUNS];
	size_t checks, asks;
	/* The check whose worst rank was missed most; NULL: none.  Measured is
	 * at most so many times what was predicted, and the other way round. */
	const struct wm_model_answer *missed;
	double above, below;
	/* the largest job asked about, or measured: shares are of it; and the
	 * largest that was measured */
	struct wm_point far, near;
	/* 0: none, or not asked for */
	uint64_t fits[WM_VIEWS], overflows[WM_VIEWS];
	/* For pictures: jobs from the smallest to the largest, in equal steps of
	 * a logarithm; of P where all runs have as many ranks, else of N. */
	bool by_size;
	struct wm_model_answer step[WM_CURVE_STEPS];
	size_t steps;
};

/* model_answers.c: for the runs, the checks, and the jobs that are asked about:
 * the next three doublings if none is.  Borrows @r; *@m is all zero. */
void wm_model_answers(struct wm_model_report *m, struct wm_model_runs *r);
/* Relative: 0.05 when 5 % too much were predicted. */
double wm_model_error(const struct wm_model_answer *a, enum wm_view v);
/* Whether a check refutes the model: it lies outside of its interval. */
bool wm_model_missed(const struct wm_model_answer *a, enum wm_view v);
/* The role that view @v is about with the largest job. */
size_t wm_model_role_of(const struct wm_model_report *m, enum wm_view v);
double wm_model_curve_x(const struct wm_model_report *m,
			const struct wm_point *x);

/* Sites of a role in a part, most bytes at @x first; of all roles with @role
 * SIZE_MAX.  malloc'ed, NULL: no memory. */
struct wm_model_row {
	const struct wm_model_site *site;
	const struct wm_model_cell *cell;
	size_t role;
	double bytes;
};
struct wm_model_row *wm_model_rows(const struct wm_model *m, size_t role,
				   size_t part, const struct wm_point *x,
				   size_t *count);

/* ---- model_text.c: formulas as text; malloc'ed, NULL: no memory ---- */

/* "8.00 bytes", "24.0 KiB": three digits. */
const char *wm_amount(struct wm_buf *b, double bytes);
/* "1000000", "0.125": as short as it can be. */
const char *wm_model_number(struct wm_buf *b, double v);
/* The same in a sentence: "4,000,000". */
const char *wm_model_count(struct wm_buf *b, double v);
/* "8.00 bytes * P/N + 3.10 MiB": of one site. */
char *wm_fit_text(const struct wm_fit *f);
/* Of a role in a part; with @y terms below 0.05 % of the job @x and of @y
 * become "...". */
char *wm_part_text(const struct wm_model *m, size_t role, size_t part,
		   const struct wm_point *x, const struct wm_point *y);
/* "F(P,N) = max(F1, F2)": of a role in all parts, or in those that are highest
 * in some job of @m where @cut. */
char *wm_role_text(const struct wm_model_report *m, size_t role, bool cut);
/* The terms of wm_part_text() with @y. */
size_t wm_large_terms(const struct wm_model *m, size_t role, size_t part,
		      const struct wm_point *x, const struct wm_point *y,
		      struct wm_model_term *term);
/* "constant", "problem per rank", "ranks" ... of a site; a static text. */
const char *wm_fit_class(const struct wm_fit *f);
/* Has it a term that grows with N? */
bool wm_fit_grows(const struct wm_fit *f);

/* ---- forms ---- */

/* report_model_text.c: what people read; its first sentence; CSV. */
enum wm_status wm_model_people(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err);
void wm_model_sentence(const struct wm_model_report *m, struct wm_doc *d);
void wm_model_table(const struct wm_model_report *m, struct wm_doc *d);
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
