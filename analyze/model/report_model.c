/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: how the memory of a rank depends on the job.
 */
#include "analyze/model/report_model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/exit.h"
#include "analyze/job/kept.h"
#include "analyze/model/model_text.h"
#include "analyze/replay/pass.h"
#include "analyze/report/report.h"
#include "analyze/report/reports.h"
#include "analyze/report/table.h"
#include "analyze/report/text.h"

/* ---- answers ---- */

double wm_model_error(const struct wm_model_answer *a, enum wm_view v)
{
	double measured = a->job->bytes[v];

	return measured > 0 ? a->said[v].bytes / measured - 1 : 0;
}

/* No rank needs more than the worst one: formulas of two sums may cross. */
static void keep_below(struct wm_prediction *p, const struct wm_prediction *top)
{
	p->bytes = fmin(p->bytes, top->bytes);
	p->low = fmin(p->low, p->bytes);
	p->high = fmin(p->high, top->high);
}

static void answer(struct wm_model_answer *a, const struct wm_model_runs *r,
		   const struct wm_point *x, const struct wm_model_job *job)
{
	size_t v;

	a->point = *x;
	a->job = job;
	for (v = 0; v < WM_VIEWS; v++)
		a->said[v] = wm_model_predict(&r->model[v], x);
	for (v = 0; v < WM_VIEWS; v++)
		keep_below(&a->said[v], &a->said[WM_VIEW_worst]);
}

static void any_job(void *context, double n, struct wm_point *x)
{
	const struct wm_model_runs *r = context;

	wm_model_args_point(&r->args, SIZE_MAX, n, wm_model_runs_size(r, n), 1,
			    x);
}

static void ask(struct wm_model_report *m, const struct wm_model_runs *r,
		double n, double p)
{
	struct wm_point x;

	if (!(p > 0))
		p = wm_model_runs_size(r, n);
	wm_model_args_point(&r->args, SIZE_MAX, n, p, 0, &x);
	answer(&m->ask[m->asks++], r, &x, NULL);
	if (x.n > m->far.n)
		m->far = x;
}

static void answer_all(struct wm_model_report *m, struct wm_model_runs *r)
{
	const struct wm_model_args *a = &r->args;
	size_t i, v;

	memset(m, 0, sizeof(*m));
	m->runs = r;
	m->far = r->model[0].point[wm_model_largest(&r->model[0])];
	m->near = m->far;
	for (i = 0; i < a->runs; i++)
		answer(&m->run[i], r, &r->model[0].point[i], &r->job[i]);
	for (i = 0; i < a->checks; i++)
		answer(&m->check[m->checks++], r, &r->job[a->runs + i].point,
		       &r->job[a->runs + i]);
	for (i = 0; i < a->asks; i++)
		ask(m, r, a->ask[i].n, a->ask[i].p);
	/* who asks for nothing sees the next doublings */
	if (!a->asks) {
		double n = m->far.n;

		for (i = 1; i <= 3; i++)
			ask(m, r, n * (double)(1 << i), 0);
	}
	for (v = 0; v < WM_VIEWS && a->node; v++)
		wm_model_node(&r->model[v], (double)a->node, a->per_node,
			      any_job, r, &m->fits[v], &m->overflows[v]);
}

/* ---- tables ---- */

static void put_plain(struct wm_table *t, double v)
{
	struct wm_buf b;

	wm_table_text(t, wm_model_number(&b, v));
}

static const struct wm_table_column job_columns[] = {
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "ranks", "ranks", WM_UNIT_TEXT },
	{ "size", "size", WM_UNIT_TEXT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "low", "low", WM_UNIT_BYTES },
	{ "high", "high", WM_UNIT_BYTES },
	{ "mean_bytes", "mean rank", WM_UNIT_BYTES },
	{ "rank0_bytes", "rank 0", WM_UNIT_BYTES },
	{ "measured", NULL, WM_UNIT_BYTES },
	{ "error", NULL, WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static const struct wm_table_column check_columns[] = {
	{ "kind", "run", WM_UNIT_TEXT },
	{ "ranks", "ranks", WM_UNIT_TEXT },
	{ "size", "size", WM_UNIT_TEXT },
	{ "measured", "measured", WM_UNIT_BYTES },
	{ "bytes", "model", WM_UNIT_BYTES },
	{ "error", "error", WM_UNIT_TEXT },
	{ "mean_error", "mean rank", WM_UNIT_TEXT },
	{ "rank0_error", "rank 0", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static void put_job(struct wm_table *t, const char *kind,
		    const struct wm_model_answer *a)
{
	char error[32];

	wm_table_text(t, kind);
	put_plain(t, a->point.n);
	put_plain(t, a->point.p);
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].bytes));
	if (a->said[WM_VIEW_worst].has_range) {
		wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].low));
		wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].high));
	} else {
		wm_table_none(t);
		wm_table_none(t);
	}
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_mean].bytes));
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_rank0].bytes));
	if (!a->job) {
		wm_table_none(t);
		wm_table_text(t, NULL);
		return;
	}
	wm_table_uint(t, wm_rounded(a->job->bytes[WM_VIEW_worst]));
	snprintf(error, sizeof(error), "%.6f",
		 wm_model_error(a, WM_VIEW_worst));
	wm_table_text(t, error);
}

static void put_check(struct wm_table *t, const char *kind,
		      const struct wm_model_answer *a)
{
	char error[32];
	size_t v;

	wm_table_text(t, kind);
	put_plain(t, a->point.n);
	put_plain(t, a->point.p);
	wm_table_uint(t, wm_rounded(a->job->bytes[WM_VIEW_worst]));
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].bytes));
	for (v = 0; v < WM_VIEWS; v++) {
		snprintf(error, sizeof(error), "%+.2f %%",
			 100 * wm_model_error(a, v));
		wm_table_text(t, error);
	}
}

static enum wm_status put_csv(const struct wm_model_report *m, FILE *out,
			      struct wm_err *err)
{
	struct wm_table t;
	enum wm_status s;
	size_t i;

	wm_table_init(&t, job_columns);
	for (i = 0; i < m->runs->args.runs; i++)
		put_job(&t, "run", &m->run[i]);
	for (i = 0; i < m->checks; i++)
		put_job(&t, "check", &m->check[i]);
	for (i = 0; i < m->asks; i++)
		put_job(&t, "prediction", &m->ask[i]);
	s = wm_table_csv(&t, out, err);
	wm_table_release(&t);
	return s;
}

enum wm_status wm_model_jobs(const struct wm_model_report *m,
			     const struct wm_opts *o, FILE *out,
			     struct wm_err *err)
{
	struct wm_table t;
	enum wm_status s;
	size_t i;

	fputc('\n', out);
	wm_heading(o, out, "Runs and what the model says of them");
	wm_table_init(&t, check_columns);
	for (i = 0; i < m->runs->args.runs; i++)
		put_check(&t, "modelled", &m->run[i]);
	for (i = 0; i < m->checks; i++)
		put_check(&t, "check", &m->check[i]);
	s = wm_table_print(&t, 0, o, out, err);
	wm_table_release(&t);
	if (s)
		return s;
	fputc('\n', out);
	wm_heading(o, out, "Predictions: the worst rank%s, mean, rank 0",
		   m->runs->model[0].part[0].crossed ? " with its interval" :
		   " with the range of all that explains both runs");
	wm_table_init(&t, job_columns);
	for (i = 0; i < m->asks; i++)
		put_job(&t, "prediction", &m->ask[i]);
	s = wm_table_print(&t, 0, o, out, err);
	wm_table_release(&t);
	return s;
}

static enum wm_status model_check(const struct wm_opts *o, struct wm_err *err)
{
	struct wm_model_args a;
	enum wm_status s = wm_model_args_parse(&a, o, err);

	wm_model_args_release(&a);
	return s;
}

static int model_main(const struct wm_opts *o)
{
	struct wm_model_runs runs;
	struct wm_model_report m;
	struct wm_err err = { "" };
	enum wm_status s = wm_model_runs_read(&runs, o, &err);
	int partial;

	if (!s) {
		answer_all(&m, &runs);
		s = o->json ? wm_model_json(&m, stdout, &err) :
		    o->csv ? put_csv(&m, stdout, &err) :
			     wm_model_report_text(&m, o, stdout, &err);
	}
	if (!s && (fflush(stdout) || ferror(stdout)))
		s = wm_err_set(&err, WM_IO, "output: %s", strerror(errno));
	partial = runs.partial;
	wm_model_runs_release(&runs);
	return wm_exit_status(s, partial, &err);
}

const struct wm_report wm_model_report = {
	.name = "model",
	.help = "memory of other jobs, from two RUNs or more; see --size",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases),
	.keeps = WM_KEEPS(max) | WM_KEEPS(first) | WM_KEEPS(all),
	.check = model_check,
	.alone = model_main,
	.forms = WM_OWN_CSV,
};
