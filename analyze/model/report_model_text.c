/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/report_model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/model/model_text.h"
#include "analyze/queries/profile.h"
#include "analyze/render/table.h"
#include "analyze/report/text.h"

#define SITES_SHOWN 10
#define SITE_SHARE 0.001 /* of sites that grow */

static void put_terms(const struct wm_model_part *p, const struct wm_point *x,
		      const struct wm_point *y, struct wm_doc *d)
{
	struct wm_model_term term[WM_PART_TERMS];
	size_t n = wm_large_terms(p, x, y, term), i;
	double sum = wm_part_value(p, x);
	struct wm_buf b;

	for (i = 0; i < n; i++)
		wm_doc_print(d, "  %5.1f %%  %10s  %s%s\n",
			     sum > 0 ? 100 * term[i].bytes / sum : 0,
			     wm_amount(&b, term[i].coefficient),
			     wm_term_words(term[i].term),
			     term[i].when == WM_WHEN_MANY ? ", with more than "
							    "one rank" :
			     term[i].when == WM_WHEN_ONE  ? ", with one rank" :
							    "");
}

static const struct wm_table_column site_columns[] = {
	{ "share", "share", WM_UNIT_PERCENT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "formula", "formula", WM_UNIT_WORDS },
	{ "site", "site", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static void put_site(struct wm_table *t, const struct wm_fit *f, double here,
		     double sum, const char *name)
{
	char *formula = wm_fit_text(f);

	wm_table_real(t, 100 * here / sum);
	wm_table_uint(t, wm_rounded(here));
	wm_table_text(t, formula);
	wm_table_text(t, name);
	free(formula);
}

/* The sites, or those that grow with N; nothing if there are none. */
static enum wm_status put_sites(const struct wm_model_part *p,
				const struct wm_point *x, bool growing,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err)
{
	const struct wm_model_site **list = wm_model_order(p, x);
	double sum = wm_part_value(p, x), here;
	struct wm_table t;
	struct wm_buf b;
	size_t i, small = 0, rows;

	if (!list)
		return wm_no_memory(err, NULL);
	wm_table_init(&t, site_columns);
	for (i = 0; i < p->count; i++) {
		const struct wm_fit *f = &list[i]->fit;
		char name[WM_NAME_COLUMNS + 1], site[WM_SITE_TEXT];

		here = wm_fit_value(f, x);
		if (!(here > 0) || (growing && !wm_fit_grows(f)))
			continue;
		/* tables of MPI with a word for each rank are many */
		if (growing && !o->top_given && here < SITE_SHARE * sum)
			small++;
		else
			put_site(&t, f, here, sum,
				 wm_shorten(wm_profile_site(list[i]->path,
							    site),
					    WM_NAME_COLUMNS, name));
	}
	here = wm_fit_value(&p->pool, x);
	if (here > 0 && (!growing || wm_fit_grows(&p->pool))) {
		char name[48];

		snprintf(name, sizeof(name), "(%zu small irregular sites)",
			 p->pooled);
		put_site(&t, &p->pool, here, sum, name);
	}
	rows = wm_table_rows(&t);
	if (rows) {
		wm_doc_heading(d, "%s, with %s rank%s",
			       growing ? "Sites that grow with the ranks" :
					 "Sites that hold most",
			       wm_model_count(&b, x->n), x->n == 1 ? "" : "s");
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

static const char *scaling_name(enum wm_scaling s)
{
	return s == WM_SCALING_STRONG ? "strong scaling" :
	       s == WM_SCALING_WEAK   ? "weak scaling" :
					"N and P vary";
}

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
	struct wm_model_answer here, next;
	struct wm_buf b;
	double each, p;

	/* runs with as many ranks each say nothing about ranks */
	if (r->model[0].design.like[WM_TERM_RANKS] == WM_TERM_CONST)
		return;
	p = far->p == wm_model_runs_size(r, far->n) ?
		    wm_model_runs_size(r, far->n + 1) :
		    far->p;
	wm_model_answer_at(&here, r, far->n, far->p);
	wm_model_answer_at(&next, r, far->n + 1, p);
	each = next.said[WM_VIEW_worst].bytes - here.said[WM_VIEW_worst].bytes;
	if (each > -0.5 && each < 0.5)
		wm_doc_print(d, "; further ranks change nothing");
	else
		wm_doc_print(d, "; each further rank %s %s %s it",
			     each > 0 ? "adds" : "takes",
			     wm_amount(&b, each > 0 ? each : -each),
			     each > 0 ? "to" : "off");
}

static void put_certainty(const struct wm_prediction *p, struct wm_doc *d)
{
	struct wm_buf low, high;

	if (!p->has_range) {
		wm_doc_print(d,
			     "from two runs: nobody knows how sure that is)");
		return;
	}
	wm_bytes(&low, wm_rounded(p->low));
	wm_bytes(&high, wm_rounded(p->high));
	if (strcmp(low.s, high.s) == 0)
		wm_doc_print(d, "within the digits shown)");
	else
		wm_doc_print(d, "between %s and %s)", low.s, high.s);
}

/* The answer in one sentence, for who reads no further. */
void wm_model_sentence(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_answer *far = farthest(m);
	const struct wm_prediction *p = &far->said[WM_VIEW_worst];
	struct wm_buf b, c, e;

	if (!m->asks)
		return;
	wm_doc_print(d, "With %s rank%s and a problem of %s ",
		     wm_count(&b, wm_rounded(far->point.n)),
		     far->point.n == 1 ? "" : "s",
		     wm_model_count(&c, far->point.p));
	wm_doc_print(d, "the worst rank %s %s (",
		     m->runs->args.working_set ? "accesses" : "needs",
		     wm_bytes(&e, wm_rounded(p->bytes)));
	put_certainty(p, d);
	put_slope(m, &far->point, d);
	wm_doc_print(d, ".\n");
}

static void put_head(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_runs *r = m->runs;
	size_t i;

	wm_doc_title(d, "%s  memory model from %zu runs: %s", r->job[0].program,
		     r->args.runs, scaling_name(r->scaling));
	wm_model_sentence(m, d);
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

static enum wm_status put_part(const struct wm_model_report *m, size_t i,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model[WM_VIEW_worst];
	const struct wm_model_part *p = &w->part[i];
	struct wm_buf b;
	enum wm_status s;

	if (w->parts > 1) {
		char *text = wm_part_text(p, &m->far, &m->near);

		wm_doc_heading(d, "In phase %s%s%s", p->name ? "'" : "",
			       p->name ? p->name : "none", p->name ? "'" : "");
		wm_doc_print(d, "F(P,N) = %s\n", text ? text : "?");
		free(text);
	}
	wm_doc_print(d, "\nIts terms, with their shares at %s rank%s\n",
		     wm_model_count(&b, m->far.n), m->far.n == 1 ? "" : "s");
	put_terms(p, &m->far, &m->near, d);
	if (p->crossed)
		wm_doc_print(d,
			     "Without one of the runs in turn, the others "
			     "predict it with an error of %.2f %%.\n",
			     100 * p->error);
	s = put_sites(p, &m->far, true, o, d, err);
	return s ? s : put_sites(p, &m->far, false, o, d, err);
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
				struct wm_doc *d, struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model[WM_VIEW_worst];
	enum wm_status s = WM_OK;
	size_t i, others = 0;

	for (i = 0; i < w->parts && !s; i++) {
		others += !shown[i];
		if (shown[i])
			s = put_part(m, i, o, d, err);
	}
	if (!s && others)
		wm_doc_print(d,
			     "\n%zu other phase%s: none needs most in any of "
			     "these jobs\n",
			     others, others > 1 ? "s" : "");
	return s;
}

static enum wm_status put_formulas(const struct wm_model_report *m,
				   struct wm_doc *d, struct wm_err *err)
{
	bool cut = false;
	size_t v;

	for (v = 0; v < WM_VIEWS; v++) {
		char *shown = highest_parts(m, v), *text = NULL;

		if (shown)
			text = wm_model_text(&m->runs->model[v], &m->far,
					     &m->near, shown);
		free(shown);
		if (!text)
			return wm_no_memory(err, NULL);
		if (v == WM_VIEW_worst)
			wm_doc_title(d, "%s", text);
		else
			wm_doc_print(d, "%s: %s\n", wm_view_what[v], text);
		cut |= strstr(text, "...") != NULL;
		free(text);
	}
	if (cut)
		wm_doc_print(d, "...: terms of less than 0.05 %% in these jobs "
				"(--json has all)\n");
	return WM_OK;
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

enum wm_status wm_model_people(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d,
			       struct wm_err *err)
{
	char *shown = highest_parts(m, WM_VIEW_worst);
	enum wm_status s;

	if (!shown)
		return wm_no_memory(err, NULL);
	put_head(m, d);
	s = put_formulas(m, d, err);
	if (!s)
		s = put_parts(m, shown, o, d, err);
	free(shown);
	if (s)
		return s;
	wm_model_jobs(m, d);
	put_node(m, d);
	wm_model_origins(m, d);
	return WM_OK;
}
