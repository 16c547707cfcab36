/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/queries/profile.h"
#include "analyze/render/table.h"
#include "analyze/report/text.h"

#define SITES_SHOWN 10
#define SITE_SHARE 0.001 /* of sites that grow */
#define APART 0.01 /* predictions that differ less are of like ranks */

/* ---- sites ---- */

static void put_terms(const struct wm_model_report *m, size_t role, size_t part,
		      struct wm_doc *d)
{
	const struct wm_model *w = &m->runs->model;
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t n = wm_large_terms(w, role, part, &m->far, &m->near, term), i;
	double sum = wm_model_value(w, role, part, &m->far);
	struct wm_buf b;

	for (i = 0; i < n; i++)
		wm_doc_print(d, "  %5.1f %%  %10s  %s%s\n",
			     sum > 0 ? 100 * term[i].bytes / sum : 0,
			     wm_amount(&b, term[i].coefficient),
			     wm_term_text[term[i].term].words,
			     term[i].many ? ", with more than one rank" : "");
}

static const struct wm_table_column site_columns[] = {
	{ "share", "share", WM_UNIT_PERCENT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "formula", "formula", WM_UNIT_WORDS },
	{ "role", "in", WM_UNIT_WORDS },
	{ "site", "site", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

/* The sites of a role, or with SIZE_MAX those of any that grow with N, each in
 * the role that has most of it; nothing if there are none. */
static enum wm_status put_sites(const struct wm_model_report *m, size_t role,
				size_t part, double sum,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model;
	bool growing = role == SIZE_MAX;
	size_t i, small = 0, rows, count;
	struct wm_model_row *list = wm_model_rows(w, role, part, &m->far,
						  &count);
	struct wm_table t;
	struct wm_buf b;

	if (!list)
		return wm_no_memory(err, NULL);
	wm_table_init(&t, site_columns);
	for (i = 0; i < count; i++) {
		const struct wm_model_row *r = &list[i];
		char name[WM_NAME_COLUMNS + 1], site[WM_SITE_TEXT], *formula;

		if (!(r->bytes > 0) ||
		    (growing && !wm_fit_grows(&r->cell->fit)))
			continue;
		/* tables of MPI with a word for each rank are many */
		if (growing && !o->top_given && r->bytes < SITE_SHARE * sum) {
			small++;
			continue;
		}
		formula = wm_fit_text(&r->cell->fit);
		wm_table_real(&t, 100 * r->bytes / sum);
		wm_table_uint(&t, wm_rounded(r->bytes));
		wm_table_text(&t, formula);
		wm_table_text(&t, w->role[r->role].name);
		wm_table_text(&t,
			      wm_shorten(wm_profile_site(r->site->path, site),
					 WM_NAME_COLUMNS, name));
		free(formula);
	}
	rows = wm_table_rows(&t);
	if (rows) {
		wm_doc_heading(d, "%s%s, with %s rank%s",
			       growing ? "Sites that grow with the ranks" :
					 "Sites that hold most of ",
			       growing ? "" : w->role[role].name,
			       wm_model_count(&b, m->far.n),
			       m->far.n == 1 ? "" : "s");
		wm_doc_table(d, &t, NULL, wm_top(o, SITES_SHOWN), WM_FOR_TEXT);
	}
	if (small)
		wm_doc_print(d,
			     "%s%zu site%s that grow%s with the ranks %s less "
			     "than 0.1 %% each (--top all)\n",
			     rows ? "  " : "\n", small, small > 1 ? "s" : "",
			     small > 1 ? "" : "s",
			     small > 1 ? "hold" : "holds");
	wm_table_release(&t);
	free(list);
	return WM_OK;
}

/* ---- the sentence ---- */

/* The job with most ranks of those that are asked about. */
static const struct wm_model_answer *farthest(const struct wm_model_report *m)
{
	const struct wm_model_answer *far = &m->ask[0];
	size_t i;

	for (i = 1; i < m->asks; i++)
		if (m->ask[i].point.n > far->point.n)
			far = &m->ask[i];
	return far;
}

/* What one more rank changes, "; each further rank adds 1.1 MiB to it". */
static void put_slope(const struct wm_model_report *m,
		      const struct wm_point *far, struct wm_doc *d)
{
	const struct wm_model_runs *r = m->runs;
	struct wm_point next = { far->n + 1, far->p };
	struct wm_buf b;
	double each;

	/* runs with as many ranks each say nothing about ranks */
	if (r->model.design.like[WM_TERM_RANKS] == WM_TERM_CONST)
		return;
	if (far->p == wm_model_runs_size(r, far->n))
		next.p = wm_model_runs_size(r, next.n);
	each = wm_model_predict(&r->model, WM_VIEW_worst, &next).bytes -
	       wm_model_predict(&r->model, WM_VIEW_worst, far).bytes;
	if (each > -0.5 && each < 0.5)
		wm_doc_print(d, "; further ranks change nothing");
	else
		wm_doc_print(d, "; each further rank %s %s %s it",
			     each > 0 ? "adds" : "takes",
			     wm_amount(&b, fabs(each)),
			     each > 0 ? "to" : "off");
}

/* Which other run would tell. */
static void put_wish(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_buf b;

	if (m->runs->model.design.like[WM_TERM_RANKS] == WM_TERM_CONST)
		wm_doc_print(d, "a run of another problem size would tell");
	else
		wm_doc_print(d, "a run with %s ranks would tell",
			     wm_count(&b, wm_rounded(wm_model_next_run(
						  &m->runs->model))));
}

static void put_need(const struct wm_model_report *m,
		     const struct wm_prediction *p, struct wm_doc *d)
{
	struct wm_buf b, low, high;

	wm_bytes(&b, wm_rounded(p->bytes));
	if (!p->has_range) {
		wm_doc_print(d,
			     "%s (from two runs, which do not tell how "
			     "sure that is: ",
			     b.s);
		put_wish(m, d);
		wm_doc_print(d, ")");
		return;
	}
	wm_bytes(&low, wm_rounded(p->low));
	wm_bytes(&high, wm_rounded(p->high));
	if (strcmp(low.s, high.s) == 0 && !p->untold)
		wm_doc_print(d, "%s (within the digits shown)", b.s);
	else if (!p->untold)
		wm_doc_print(d, "%s (between %s and %s)", b.s, low.s, high.s);
	else
		wm_doc_print(d, "between %s and %s", low.s, high.s);
}

/* Why the runs do not tell, and which run would. */
static void put_untold(const struct wm_model_report *m,
		       const struct wm_prediction *p, struct wm_doc *d)
{
	if (p->untold != WM_UNTOLD_MISSED)
		wm_doc_print(d, ": these runs do not tell");
	if (p->untold == WM_UNTOLD_SIZE)
		wm_doc_print(d, " how memory grows with the problem: run "
				"another problem size");
	else if (p->untold == WM_UNTOLD_RANKS)
		wm_doc_print(d, " how memory grows with the ranks: run "
				"another number of ranks");
	else if (p->untold == WM_UNTOLD_MISSED)
		wm_doc_print(d, ": give that run to the model, too");
	else {
		wm_doc_print(d, ": ");
		put_wish(m, d);
	}
}

/* "The run with 8 ranks was missed by 77 %": a check refutes the model. */
static void put_missed(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_answer *a = m->missed;
	struct wm_buf b;

	if (!a)
		return;
	if (m->by_size)
		wm_doc_print(d, "The run with a problem of %s",
			     wm_model_count(&b, a->point.p));
	else
		wm_doc_print(d, "The run with %s rank%s",
			     wm_model_count(&b, a->point.n),
			     a->point.n == 1 ? "" : "s");
	wm_doc_print(d,
		     " was missed by %.0f %%: do not rely on these "
		     "predictions. ",
		     100 * fabs(wm_model_error(a, WM_VIEW_worst)));
}

/* Of which role the worst rank is, where others need less. */
static void put_role(const struct wm_model_report *m,
		     const struct wm_model_answer *a, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs->model;
	const struct wm_prediction *p = &a->said[WM_VIEW_worst];
	double least = p->bytes;
	size_t i, k;

	for (i = 0; i < w->roles; i++) {
		double here = 0;

		for (k = 0; k < w->parts; k++)
			here = fmax(here, wm_model_value(w, i, k, &a->point));
		if (i != WM_ROLE_MEAN && w->role[i].seen)
			least = fmin(least, here);
	}
	if (p->bytes - least > APART * p->bytes)
		wm_doc_print(d, ", %s%s,",
			     p->role < WM_ROLE_OTHERS ? "" : "one of ",
			     w->role[p->role].name);
}

/* The answer in one sentence, for who reads no further. */
void wm_model_sentence(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_answer *far = farthest(m);
	const struct wm_prediction *p = &far->said[WM_VIEW_worst];
	struct wm_buf b, c;

	if (!m->asks)
		return;
	put_missed(m, d);
	wm_doc_print(d, "With %s rank%s and a problem of %s the worst rank",
		     wm_count(&b, wm_rounded(far->point.n)),
		     far->point.n == 1 ? "" : "s",
		     wm_model_count(&c, far->point.p));
	put_role(m, far, d);
	wm_doc_print(d, " %s ",
		     m->runs->args.working_set ? "accesses" : "needs");
	put_need(m, p, d);
	if (p->untold)
		put_untold(m, p, d);
	else
		put_slope(m, &far->point, d);
	wm_doc_print(d, ".\n");
}

/* ---- parts of the report ---- */

static void put_timed(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs->model;
	struct wm_buf b;

	if (!(w->timed > 0) || w->design.groups < 3)
		return;
	if (w->timed_name)
		wm_doc_print(d,
			     "High ends hold %s that ranks had by timing alone "
			     "(%s): it is no part of a formula.\n",
			     wm_bytes(&b, wm_rounded(w->timed)), w->timed_name);
	else
		wm_doc_print(d,
			     "High ends hold %s for a pool of requests that "
			     "MPICH takes by timing alone.\n",
			     wm_bytes(&b, wm_rounded(w->timed)));
}

static void put_head(const struct wm_model_report *m, struct wm_doc *d)
{
	static const char *const scaling[] = { "strong scaling", "weak scaling",
					       "N and P vary" };
	const struct wm_model_runs *r = m->runs;
	size_t i;

	wm_doc_title(d, "%s  memory model from %zu runs: %s", r->job[0].program,
		     r->args.runs, scaling[r->scaling]);
	wm_model_sentence(m, d);
	put_timed(m, d);
	wm_doc_print(d,
		     "N: ranks of the job; P: size of its problem; bytes: "
		     "%s\n",
		     r->args.working_set ? "the most accessed in an epoch" :
		     r->has_static	 ? "heap peak and static memory" :
					   "heap peak");
	for (i = 0; i < r->notes; i++)
		wm_doc_print(d, "note: %s\n", r->note[i]);
	wm_doc_print(d, "\n");
}

/* The highest role first. */
static enum wm_status put_formulas(const struct wm_model_report *m,
				   struct wm_doc *d, struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model;
	size_t top = wm_model_role_of(m, WM_VIEW_worst), i;
	bool cut = false;

	for (i = 0; i <= w->roles; i++) {
		size_t role = i ? i - 1 : top;
		char *text;

		if ((i && role == top) || !w->role[role].seen)
			continue;
		text = wm_role_text(m, role, true);
		if (!text)
			return wm_no_memory(err, NULL);
		if (!i)
			wm_doc_title(d, "%s", text);
		else
			wm_doc_print(d, "%s: %s\n", w->role[role].name, text);
		cut |= strstr(text, "...") != NULL;
		free(text);
	}
	if (cut)
		wm_doc_print(d, "...: terms of less than 0.05 %% in these jobs "
				"(--json has all)\n");
	return WM_OK;
}

static enum wm_status put_part(const struct wm_model_report *m, size_t part,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model;
	const struct wm_model_part *p = &w->part[part];
	size_t role = wm_model_role_of(m, WM_VIEW_worst);
	double sum = wm_model_value(w, role, part, &m->far);
	struct wm_buf b;
	enum wm_status s;

	if (w->parts > 1) {
		char *text = wm_part_text(w, role, part, &m->far, &m->near);

		wm_doc_heading(d, "In phase %s%s%s", p->name ? "'" : "",
			       p->name ? p->name : "none", p->name ? "'" : "");
		wm_doc_print(d, "F(P,N) = %s\n", text ? text : "?");
		free(text);
	}
	wm_doc_print(d, "\nIts terms, with their shares at %s rank%s\n",
		     wm_model_count(&b, m->far.n), m->far.n == 1 ? "" : "s");
	put_terms(m, role, part, d);
	if (w->design.groups > 2)
		wm_doc_print(d,
			     "Without one of the runs in turn, the others "
			     "predict it with an error of %.2f %%.\n",
			     100 * p->error[role]);
	s = put_sites(m, SIZE_MAX, part, sum, o, d, err);
	return s ? s : put_sites(m, role, part, sum, o, d, err);
}

/* The phases in which the worst rank of some job is highest. */
static enum wm_status put_parts(const struct wm_model_report *m,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err)
{
	const struct wm_model_answer *list[] = { m->run, m->check, m->ask };
	size_t count[] = { m->runs->args.runs, m->checks, m->asks };
	size_t parts = m->runs->model.parts, others = 0, i, k;
	enum wm_status s = WM_OK;
	uint64_t shown = 0;

	for (i = 0; i < 3; i++)
		for (k = 0; k < count[i]; k++)
			shown |= 1ull << list[i][k].said[WM_VIEW_worst].part;
	for (i = 0; i < parts && !s; i++) {
		others += !(shown & 1ull << i);
		if (shown & 1ull << i)
			s = put_part(m, i, o, d, err);
	}
	if (!s && others)
		wm_doc_print(d,
			     "\n%zu other phase%s: none needs most in any of "
			     "these jobs\n",
			     others, others > 1 ? "s" : "");
	return s;
}

static void put_node(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_args *a = &m->runs->args;
	struct wm_buf b, c, e;
	size_t v;

	if (!a->node)
		return;
	wm_doc_print(d, "\nNodes of %s with %s rank%s each:\n",
		     wm_bytes(&b, a->node), wm_model_count(&c, a->per_node),
		     a->per_node > 1 ? "s" : "");
	if (m->missed)
		wm_doc_print(d, "  (by the formula, which missed a run)\n");
	for (v = 0; v < WM_VIEWS; v++) {
		wm_doc_print(d, "  if all were like %s: ", wm_view_what[v]);
		if (!m->fits[v])
			wm_doc_print(d, "no number of ranks fits\n");
		else if (!m->overflows[v])
			wm_doc_print(d, "fits from %s ranks on\n",
				     wm_count(&e, m->fits[v]));
		else
			wm_doc_print(d,
				     "fits from %s ranks on, overflows from "
				     "%s\n",
				     wm_count(&c, m->fits[v]),
				     wm_count(&e, m->overflows[v]));
	}
}

/* ---- jobs ---- */

static void put_plain(struct wm_table *t, double v)
{
	struct wm_buf b;

	wm_table_text(t, wm_model_number(&b, v));
}

static const struct wm_table_column job_columns[] = {
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "ranks", "ranks", WM_UNIT_TEXT },
	{ "size", "size", WM_UNIT_TEXT },
	{ "bytes", "bytes", WM_UNIT_SOME },
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

/* @people: an interval that is open stands for the figure. */
static void put_job(struct wm_table *t, const char *kind,
		    const struct wm_model_answer *a, bool people)
{
	const struct wm_prediction *p = &a->said[WM_VIEW_worst];
	size_t v;

	wm_table_text(t, kind);
	put_plain(t, a->point.n);
	put_plain(t, a->point.p);
	wm_table_known(t, !people || !p->untold, wm_rounded(p->bytes));
	wm_table_known(t, p->has_range, wm_rounded(p->low));
	wm_table_known(t, p->has_range, wm_rounded(p->high));
	for (v = WM_VIEW_mean; v <= WM_VIEW_rank0; v++)
		wm_table_known(t, !people || !a->said[v].untold,
			       wm_rounded(a->said[v].bytes));
	wm_table_known(t, a->job != NULL,
		       a->job ? wm_rounded(a->job->bytes[WM_VIEW_worst]) : 0);
	if (a->job)
		wm_table_format(t, "%.6f", wm_model_error(a, WM_VIEW_worst));
	else
		wm_table_text(t, NULL);
}

static void put_check(struct wm_table *t, const char *kind,
		      const struct wm_model_answer *a)
{
	size_t v;

	wm_table_text(t, kind);
	put_plain(t, a->point.n);
	put_plain(t, a->point.p);
	wm_table_uint(t, wm_rounded(a->job->bytes[WM_VIEW_worst]));
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].bytes));
	for (v = 0; v < WM_VIEWS; v++)
		wm_table_format(t, "%+.2f %%", 100 * wm_model_error(a, v));
}

void wm_model_table(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	wm_table_init(&t, job_columns);
	for (i = 0; i < m->runs->args.runs; i++)
		put_job(&t, "run", &m->run[i], false);
	for (i = 0; i < m->checks; i++)
		put_job(&t, "check", &m->check[i], false);
	for (i = 0; i < m->asks; i++)
		put_job(&t, "prediction", &m->ask[i], false);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

static void put_jobs(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	wm_doc_heading(d, "Runs and what the model says of them");
	wm_table_init(&t, check_columns);
	for (i = 0; i < m->runs->args.runs; i++)
		put_check(&t, "modelled", &m->run[i]);
	for (i = 0; i < m->checks; i++)
		put_check(&t, "check", &m->check[i]);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	wm_doc_heading(d, "Predictions: the worst rank%s, mean, rank 0",
		       m->runs->model.design.groups > 2 ? " with its interval" :
							  "");
	wm_table_init(&t, job_columns);
	for (i = 0; i < m->asks; i++)
		put_job(&t, "prediction", &m->ask[i], true);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static const struct wm_table_column origin_columns[] = {
	{ "run", "run", WM_UNIT_TEXT },
	{ "started", "started", WM_UNIT_WORDS },
	{ "build", "build", WM_UNIT_WORDS },
	{ "command", "command", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

/* As put_jobs() has them, modelled ones first. */
static void put_origins(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_runs *r = m->runs;
	struct wm_table t;
	size_t i, k;

	wm_doc_heading(d, "Where the runs come from");
	wm_table_init(&t, origin_columns);
	for (i = 0; i < r->jobs; i++) {
		const struct wm_model_job *job = &r->job[i];
		char build[2 * 6 + 1] = "";

		for (k = 0; k < job->build_size && k < 6; k++)
			sprintf(build + 2 * k, "%02x", job->build[k]);
		wm_table_text(&t, job->id);
		wm_table_text(&t, job->started);
		wm_table_text(&t, build);
		wm_table_text(&t, job->command);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

enum wm_status wm_model_people(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	enum wm_status s;

	put_head(m, d);
	s = put_formulas(m, d, err);
	if (!s)
		s = put_parts(m, o, d, err);
	if (s)
		return s;
	put_jobs(m, d);
	put_node(m, d);
	put_origins(m, d);
	return WM_OK;
}
