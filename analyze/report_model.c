/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: how the memory of a rank depends on the job.
 */
#include "analyze/report_model.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/exit.h"
#include "analyze/model_text.h"
#include "analyze/reports.h"
#include "analyze/shorten.h"
#include "analyze/table.h"
#include "analyze/text.h"

#define SITES_SHOWN 10
#define SITE_SHARE 0.001 /* of sites that grow */

static enum wm_status no_memory(struct wm_err *err)
{
	return wm_err_set(err, WM_NO_MEMORY, "no memory");
}

/* ---- answers ---- */

double wm_model_error(const struct wm_model_answer *a, enum wm_view v)
{
	double measured = a->job->bytes[v];

	return measured > 0 ? a->said[v].bytes / measured - 1 : 0;
}

static void answer(struct wm_model_answer *a, const struct wm_model_runs *r,
		   const struct wm_point *x, const struct wm_model_job *job)
{
	size_t v;

	a->point = *x;
	a->job = job;
	for (v = 0; v < WM_VIEWS; v++)
		a->said[v] = wm_model_predict(&r->model[v], x);
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

static uint64_t whole(double bytes)
{
	return bytes > 0 ? (uint64_t)(bytes + 0.5) : 0;
}

static void put_plain(struct wm_table *t, double v)
{
	struct wm_buf b;

	wm_table_text(t, wm_plain(&b, v));
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
	wm_table_uint(t, whole(a->said[WM_VIEW_worst].bytes));
	wm_table_uint(t, whole(a->said[WM_VIEW_worst].low));
	wm_table_uint(t, whole(a->said[WM_VIEW_worst].high));
	wm_table_uint(t, whole(a->said[WM_VIEW_mean].bytes));
	wm_table_uint(t, whole(a->said[WM_VIEW_rank0].bytes));
	if (!a->job) {
		wm_table_none(t);
		wm_table_text(t, NULL);
		return;
	}
	wm_table_uint(t, whole(a->job->bytes[WM_VIEW_worst]));
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
	wm_table_uint(t, whole(a->job->bytes[WM_VIEW_worst]));
	wm_table_uint(t, whole(a->said[WM_VIEW_worst].bytes));
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

static enum wm_status put_jobs(const struct wm_model_report *m,
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

/* ---- formulas ---- */

static int by_value(const struct wm_point *x, const struct wm_model_site *a,
		    const struct wm_model_site *b)
{
	double u = wm_fit_value(&a->fit, x), v = wm_fit_value(&b->fit, x);

	if (u != v)
		return u < v ? 1 : -1;
	return strcmp(a->path, b->path);
}

const struct wm_model_site **wm_model_order(const struct wm_model_part *p,
					    const struct wm_point *x)
{
	const struct wm_model_site **list;
	size_t i, k, gap;

	list = calloc(p->count + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (i = 0; i < p->count; i++)
		list[i] = &p->site[i];
	/* Shell's sort: qsort() has no room for @x */
	for (gap = p->count / 2; gap > 0; gap /= 2)
		for (i = gap; i < p->count; i++) {
			const struct wm_model_site *s = list[i];

			for (k = i; k >= gap &&
			     by_value(x, s, list[k - gap]) < 0; k -= gap)
				list[k] = list[k - gap];
			list[k] = s;
		}
	return list;
}

static void put_terms(const struct wm_model_part *p, const struct wm_point *x,
		      const struct wm_point *y, FILE *out)
{
	struct wm_model_term term[WM_PART_TERMS];
	size_t n = wm_large_terms(p, x, y, term), i;
	double sum = wm_part_value(p, x);
	struct wm_buf b;

	for (i = 0; i < n; i++)
		fprintf(out, "  %5.1f %%  %10s  %s%s\n",
			sum > 0 ? 100 * term[i].bytes / sum : 0,
			wm_amount(&b, term[i].coefficient),
			wm_term_words(term[i].term),
			term[i].when == WM_WHEN_MANY ?
			", with more than one rank" :
			term[i].when == WM_WHEN_ONE ? ", with one rank" : "");
}

static const struct wm_table_column site_columns[] = {
	{ "share", "share", WM_UNIT_PERCENT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "formula", "formula", WM_UNIT_TEXT },
	{ "site", "site", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

/* The sites, or those that grow with N; nothing if there are none. */
static enum wm_status put_sites(const struct wm_model_part *p,
				const struct wm_point *x, int growing,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	const struct wm_model_site **list = wm_model_order(p, x);
	double sum = wm_part_value(p, x), here;
	enum wm_status s = WM_OK;
	struct wm_table t;
	struct wm_buf b;
	size_t i, small = 0;

	if (!list)
		return no_memory(err);
	wm_table_init(&t, site_columns);
	for (i = 0; i < p->count; i++) {
		char name[WM_NAME_COLUMNS + 1], *formula;

		here = wm_fit_value(&list[i]->fit, x);
		if (!(here > 0) || (growing && !wm_fit_grows(&list[i]->fit)))
			continue;
		/* tables of MPI with a word for each rank are many */
		if (growing && !o->top_given && here < SITE_SHARE * sum) {
			small++;
			continue;
		}
		formula = wm_fit_text(&list[i]->fit);
		wm_table_real(&t, 100 * here / sum);
		wm_table_uint(&t, whole(here));
		wm_table_text(&t, formula);
		wm_table_text(&t, wm_shorten(list[i]->name, WM_NAME_COLUMNS,
					     name));
		free(formula);
	}
	if (p->pooled && wm_fit_value(&p->pool, x) > 0 &&
	    (!growing || wm_fit_grows(&p->pool))) {
		char *formula = wm_fit_text(&p->pool), name[48];

		here = wm_fit_value(&p->pool, x);
		snprintf(name, sizeof(name), "(%zu small irregular sites)",
			 p->pooled);
		wm_table_real(&t, 100 * here / sum);
		wm_table_uint(&t, whole(here));
		wm_table_text(&t, formula);
		wm_table_text(&t, name);
		free(formula);
	}
	if (wm_table_rows(&t)) {
		fputc('\n', out);
		wm_heading(o, out, "%s, with %s ranks", growing ?
			   "Sites that grow with the ranks" :
			   "Sites that hold most", wm_plain(&b, x->n));
		s = wm_table_print(&t, o->top_given ? o->top : SITES_SHOWN, o,
				   out, err);
	}
	if (!s && small)
		fprintf(out, "%s%zu site%s that grow%s with the ranks %s less "
			"than 0.1 %% each (--top all)\n",
			wm_table_rows(&t) ? "  " : "\n", small,
			small > 1 ? "s" : "", small > 1 ? "" : "s",
			small > 1 ? "hold" : "holds");
	wm_table_release(&t);
	free(list);
	return s;
}

static const char *scaling_name(enum wm_scaling s)
{
	return s == WM_SCALING_STRONG ? "strong scaling" :
	       s == WM_SCALING_WEAK ? "weak scaling" : "N and P vary";
}

static void put_head(const struct wm_model_report *m, const struct wm_opts *o,
		     FILE *out)
{
	const struct wm_model_runs *r = m->runs;
	size_t i;

	wm_heading(o, out, "%s  memory model from %zu runs: %s",
		   r->job[0].program, r->args.runs, scaling_name(r->scaling));
	fputs("N: ranks of the job; P: size of its problem; bytes: heap peak"
	      , out);
	fputs(r->has_static ? " and static memory\n" : "\n", out);
	for (i = 0; i < r->notes; i++)
		fprintf(out, "note: %s\n", r->note[i]);
	fputc('\n', out);
}

static enum wm_status put_part(const struct wm_model_report *m, size_t i,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model[WM_VIEW_worst];
	const struct wm_model_part *p = &w->part[i];
	struct wm_buf b;
	enum wm_status s;

	if (w->parts > 1) {
		char *text = wm_part_text(p, &m->far, &m->near);

		fputc('\n', out);
		wm_heading(o, out, "In phase %s%s%s", p->name ? "'" : "",
			   p->name ? p->name : "none", p->name ? "'" : "");
		fprintf(out, "F(P,N) = %s\n", text ? text : "?");
		free(text);
	}
	fprintf(out, "\nshares are of %s ranks\n", wm_plain(&b, m->far.n));
	put_terms(p, &m->far, &m->near, out);
	if (p->crossed)
		fprintf(out, "Runs that are left out are predicted with an "
			"error of %.2f %%.\n", 100 * p->error);
	s = put_sites(p, &m->far, 1, o, out, err);
	return s ? s : put_sites(p, &m->far, 0, o, out, err);
}

/* Phases that need most in some job that the report is about; calloc'ed. */
static char *highest_parts(const struct wm_model_report *m, enum wm_view v)
{
	char *shown = calloc(m->runs->model[v].parts + 1, 1);
	size_t i;

	if (!shown)
		return NULL;
	for (i = 0; i < m->runs->args.runs; i++)
		shown[m->run[i].said[v].part] = 1;
	for (i = 0; i < m->checks; i++)
		shown[m->check[i].said[v].part] = 1;
	for (i = 0; i < m->asks; i++)
		shown[m->ask[i].said[v].part] = 1;
	return shown;
}

static enum wm_status put_parts(const struct wm_model_report *m,
				const char *shown, const struct wm_opts *o,
				FILE *out, struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model[WM_VIEW_worst];
	enum wm_status s = WM_OK;
	size_t i, others = 0;

	for (i = 0; i < w->parts && !s; i++) {
		others += !shown[i];
		if (shown[i])
			s = put_part(m, i, o, out, err);
	}
	if (!s && others)
		fprintf(out, "\n%zu other phase%s: none needs most in any of "
			"these jobs\n", others, others > 1 ? "s" : "");
	return s;
}

static enum wm_status put_formulas(const struct wm_model_report *m,
				   const struct wm_opts *o, FILE *out,
				   struct wm_err *err)
{
	size_t v;

	for (v = 0; v < WM_VIEWS; v++) {
		char *shown = highest_parts(m, v), *text = NULL;

		if (shown)
			text = wm_model_text(&m->runs->model[v], &m->far,
					     &m->near, shown);
		free(shown);
		if (!text)
			return no_memory(err);
		if (v == WM_VIEW_worst)
			wm_heading(o, out, "%s", text);
		else
			fprintf(out, "%s: %s\n", wm_view_what[v], text);
		free(text);
	}
	return WM_OK;
}

static void put_node(const struct wm_model_report *m, FILE *out)
{
	const struct wm_model_args *a = &m->runs->args;
	struct wm_buf b, c, d;
	size_t v;

	if (!a->node)
		return;
	fprintf(out, "\nNodes of %s with %s rank%s each:\n",
		wm_bytes(&b, a->node), wm_plain(&c, a->per_node),
		a->per_node > 1 ? "s" : "");
	for (v = 0; v < WM_VIEWS; v++) {
		fprintf(out, "  if all were like %s: ", wm_view_what[v]);
		if (!m->fits[v])
			fputs("no number of ranks fits\n", out);
		else if (!m->overflows[v])
			fprintf(out, "fits from %s ranks on\n",
				wm_count(&d, m->fits[v]));
		else
			fprintf(out, "fits from %s ranks on, overflows from "
				"%s\n", wm_count(&c, m->fits[v]),
				wm_count(&d, m->overflows[v]));
	}
}

static enum wm_status put_text(const struct wm_model_report *m,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	char *shown = highest_parts(m, WM_VIEW_worst);
	enum wm_status s;

	if (!shown)
		return no_memory(err);
	put_head(m, o, out);
	s = put_formulas(m, o, out, err);
	if (!s)
		s = put_parts(m, shown, o, out, err);
	free(shown);
	if (!s)
		s = put_jobs(m, o, out, err);
	if (!s)
		put_node(m, out);
	return s;
}

enum wm_status wm_model_check(const struct wm_opts *o, struct wm_err *err)
{
	struct wm_model_args a;
	enum wm_status s = wm_model_args_parse(&a, o, err);

	wm_model_args_release(&a);
	return s;
}

int wm_model_alone(const struct wm_opts *o)
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
			     put_text(&m, o, stdout, &err);
	}
	if (!s && (fflush(stdout) || ferror(stdout)))
		s = wm_err_set(&err, WM_IO, "output: %s", strerror(errno));
	partial = runs.partial;
	wm_model_runs_release(&runs);
	return wm_exit_status(s, partial, &err);
}
