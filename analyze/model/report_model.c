/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: how the memory of a rank depends on the job.
 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/job/retained.h"
#include "analyze/queries/profile.h"
#include "analyze/render/html.h"
#include "analyze/render/output.h"
#include "analyze/report/exit.h"
#include "analyze/report/report.h"
#include "analyze/report/text.h"

#define FORMULAS_SHOWN 10
#define SITES_SHOWN 15
#define SITE_SHARE 0.001 /* of sites that come first because they grow */

/* ---- terms, which are rows below formulas and sites in JSON ---- */

#define TERM_COLUMNS                                                           \
	{ "term", NULL, WM_UNIT_TEXT },                                        \
		{ "coefficient", NULL, WM_UNIT_EXACT },                        \
	{                                                                      \
		"holds", NULL, WM_UNIT_TEXT                                    \
	}
#define TERM_VIEW "term coefficient holds"

static void put_terms(struct wm_table *t, size_t column,
		      const struct wm_model_report *m, size_t role, size_t part,
		      const struct wm_fit *fit)
{
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t n = wm_model_terms(&m->runs.model, role, part, fit,
				  &m->far->point, term),
	       i;

	for (i = 0; i < n; i++) {
		wm_table_row(t, 1);
		wm_table_at(t, column);
		wm_table_text(t, wm_term_symbol[term[i].term]);
		wm_table_real(t, term[i].coefficient);
		wm_table_text(t, term[i].many ? "N > 1" : "always");
	}
}

/* Text that is malloc'ed, and released here. */
static void put_text(struct wm_table *t, char *text)
{
	wm_table_text(t, text);
	free(text);
}

/* ---- formulas ---- */

static const struct wm_table_column formula_columns[] = {
	{ "role", "ranks", WM_UNIT_WORDS },
	{ "phase", "phase", WM_UNIT_TEXT },
	{ "runs", NULL, WM_UNIT_NUMBER },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "left_out_percent", NULL, WM_UNIT_PERCENT },
	{ "formula", "F(P,N)", WM_UNIT_WORDS },
	TERM_COLUMNS,
	{ NULL, NULL, 0 }
};
enum { FORMULA_TERM = 6 };

static void put_formula(struct wm_table *t, const struct wm_model_report *m,
			size_t role, size_t part, bool terms)
{
	const struct wm_model *w = &m->runs.model;

	wm_table_row(t, 0);
	wm_table_text(t, w->role[role].name);
	wm_table_text_or(t, w->part[part].name, "(none)");
	wm_table_uint(t, (uint64_t)__builtin_popcountll(w->role[role].seen));
	wm_table_uint(t, wm_rounded(wm_model_value(w, role, part,
						   &m->far->point)));
	if (w->design.groups > 2)
		wm_table_real(t, 100 * w->part[part].error[role]);
	else
		wm_table_none(t);
	put_text(t, wm_model_formula(m, role, part, NULL));
	if (terms)
		put_terms(t, FORMULA_TERM, m, role, part, NULL);
}

/* Of each role in each phase; the mean is made of the others. */
static void put_formulas(const struct wm_model_report *m,
			 const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs.model;
	struct wm_table t;
	size_t i, k;

	wm_table_init(&t, formula_columns);
	wm_table_level(&t,
		       w->parts > 1 ? "role phase bytes formula" :
				      "role bytes formula",
		       0, NULL);
	wm_table_level(&t, TERM_VIEW, 0, "terms");
	for (i = 0; i < w->roles; i++)
		for (k = 0; w->role[i].seen && k < w->parts; k++)
			put_formula(&t, m, i, k, wm_doc_wants(d, WM_FOR_DATA));
	wm_doc_table(d, &t, "formulas", wm_top(o, FORMULAS_SHOWN),
		     WM_FOR_TEXT | WM_FOR_DATA);
}

/* ---- sites ---- */

static const struct wm_table_column site_columns[] = {
	{ "share_percent", "share", WM_UNIT_PERCENT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "formula", "formula", WM_UNIT_WORDS },
	{ "role", "in", WM_UNIT_WORDS },
	{ ".site", "site", WM_UNIT_TEXT },
	{ "name", NULL, WM_UNIT_TEXT },
	{ "path", NULL, WM_UNIT_TEXT },
	{ "grows", NULL, WM_UNIT_FLAG },
	{ "pooled", NULL, WM_UNIT_FLAG },
	{ "measured", NULL, WM_UNIT_TEXT },
	TERM_COLUMNS,
	{ NULL, NULL, 0 }
};
enum { SITE_TERM = 10 };

struct row {
	const struct wm_model_site *site;
	const struct wm_model_cell *cell;
	size_t role;
	double bytes;
	bool grows, first; /* first: it grows, and holds something */
	uint64_t measured[WM_MODEL_RUNS];
};

static int by_value(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->first != b->first)
		return b->first - a->first;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return strcmp(a->site->path, b->site->path);
}

static bool grows(const struct wm_fit *f)
{
	size_t i;

	for (i = 0; i < f->best.count; i++)
		if (WM_TERM_BIT(f->best.term[i]) & WM_TERMS_GROWING)
			return true;
	return false;
}

/* A site in the role that the worst rank has; where that has none of it, in the
 * role that has most.  false: none has. */
static bool fill_row(struct row *r, const struct wm_model_report *m,
		     const struct wm_model_site *site, double sum)
{
	const struct wm_model *w = &m->runs.model;
	size_t i;

	*r = (struct row){ .site = site };
	for (i = 0; i < w->roles; i++) {
		const struct wm_model_cell *c =
			site->cell[m->part * WM_ROLES + i];
		double v = c ? wm_fit_value(&c->fit, &m->far->point) : 0;

		if (!c || (r->cell && i != m->role && v <= r->bytes))
			continue;
		r->cell = c;
		r->role = i;
		r->bytes = v;
		if (i == m->role && v > 0)
			break;
	}
	if (!r->cell)
		return false;
	r->grows = grows(&r->cell->fit);
	r->first = r->grows && r->bytes >= SITE_SHARE * sum;
	for (i = 0; i < w->runs; i++)
		r->measured[i] = wm_rounded(r->cell->bytes[i]);
	return true;
}

static void put_site(struct wm_table *t, const struct wm_model_report *m,
		     const struct row *r, double sum, bool terms)
{
	char name[WM_NAME_COLUMNS + 1], site[WM_SITE_TEXT];

	wm_table_row(t, 0);
	wm_table_real(t, sum > 0 ? 100 * r->bytes / sum : 0);
	wm_table_uint(t, wm_rounded(r->bytes));
	put_text(t, wm_model_formula(m, 0, 0, &r->cell->fit));
	wm_table_text(t, m->runs.model.role[r->role].name);
	wm_table_text(t, wm_shorten(wm_profile_site(r->site->path, site),
				    WM_NAME_COLUMNS, name));
	wm_table_text(t, r->site->name);
	wm_table_text(t, r->site->path);
	wm_table_uint(t, r->grows);
	wm_table_uint(t, r->site->timed);
	wm_table_numbers(t, r->measured, m->runs.model.runs);
	if (terms)
		put_terms(t, SITE_TERM, m, 0, 0, &r->cell->fit);
}

/* Of the phase that needs most: those that grow with the ranks first. */
static enum wm_status put_sites(const struct wm_model_report *m,
				const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs.model;
	double sum = wm_model_value(w, m->role, m->part, &m->far->point);
	struct row *row = calloc(w->sites + 1, sizeof(*row));
	const char *phase = w->part[m->part].name;
	size_t i, n = 0;
	struct wm_table t;

	if (!row)
		return wm_no_memory(d->err, "the model");
	for (i = 0; i < w->sites; i++)
		n += fill_row(&row[n], m, &w->site[i], sum);
	qsort(row, n, sizeof(*row), by_value);
	wm_doc_heading(d, "Sites%s%s%s, those that grow with the ranks first",
		       phase ? " in phase '" : "", phase ? phase : "",
		       phase ? "'" : "");
	wm_table_init(&t, site_columns);
	wm_table_level(&t, NULL, 0, NULL);
	wm_table_level(&t, TERM_VIEW, 0, "terms");
	for (i = 0; i < n; i++)
		put_site(&t, m, &row[i], sum, wm_doc_wants(d, WM_FOR_DATA));
	wm_doc_table(d, &t, "sites", wm_top(o, SITES_SHOWN),
		     WM_FOR_TEXT | WM_FOR_DATA);
	free(row);
	return WM_OK;
}

/* ---- jobs ---- */

static const struct wm_table_column job_columns[] = {
	{ "kind", "job", WM_UNIT_WORDS },
	{ "ranks", "ranks", WM_UNIT_EXACT },
	{ "size", "size", WM_UNIT_EXACT },
	{ "measured", "measured", WM_UNIT_BYTES },
	{ "bytes", "model", WM_UNIT_BYTES },
	{ "low", "low", WM_UNIT_BYTES },
	{ "high", "high", WM_UNIT_BYTES },
	{ "mean_bytes", "mean rank", WM_UNIT_BYTES },
	{ "rank0_bytes", "rank 0", WM_UNIT_BYTES },
	{ "error_percent", "error", WM_UNIT_PERCENT },
	{ "role", NULL, WM_UNIT_TEXT },
	{ "open", NULL, WM_UNIT_FLAG },
	{ "missed", NULL, WM_UNIT_FLAG },
	{ "run", NULL, WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static void put_job(struct wm_table *t, const struct wm_model_report *m,
		    const struct wm_model_answer *a)
{
	const struct wm_prediction *p = &a->said[WM_VIEW_worst];
	const struct wm_prediction *mean = &a->said[WM_VIEW_mean];
	const struct wm_prediction *rank0 = &a->said[WM_VIEW_rank0];

	wm_table_text(t, a->kind);
	wm_table_exact(t, a->point.n);
	wm_table_exact(t, a->point.p);
	wm_table_known(t, a->job,
		       a->job ? wm_rounded(a->job->bytes[WM_VIEW_worst]) : 0);
	/* where the runs do not tell, the interval stands for the figure */
	wm_table_known(t, !p->untold, wm_rounded(p->bytes));
	wm_table_known(t, p->has_range, wm_rounded(p->low));
	wm_table_known(t, p->has_range, wm_rounded(p->high));
	wm_table_known(t, !mean->untold, wm_rounded(mean->bytes));
	wm_table_known(t, !rank0->untold, wm_rounded(rank0->bytes));
	if (a->job)
		wm_table_real(t, 100 * wm_model_error(a, WM_VIEW_worst));
	else
		wm_table_none(t);
	wm_table_text(t, m->runs.model.role[p->role].name);
	wm_table_uint(t, !p->has_range || p->untold);
	wm_table_uint(t, *a->kind == 'c' && wm_model_missed(a));
	wm_table_text(t, a->job ? a->job->path : NULL);
}

static void put_jobs(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	wm_doc_heading(d, "Jobs");
	wm_table_init(&t, job_columns);
	t.spare = "rank0_bytes mean_bytes error_percent measured";
	wm_table_level(&t,
		       "kind ranks size measured bytes error_percent low high "
		       "mean_bytes rank0_bytes",
		       0, NULL);
	for (i = 0; i < m->answers; i++)
		put_job(&t, m, &m->answer[i]);
	wm_doc_table(d, &t, "jobs", 0, WM_FOR_ALL);
}

/* ---- all of it ---- */

static enum wm_status put_head(const struct wm_model_report *m,
			       struct wm_doc *d)
{
	static const char *const words[][2] = { { "strong", "strong scaling" },
						{ "weak", "weak scaling" },
						{ "mixed", "N and P vary" } };
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model *w = &r->model;
	char *sentence = wm_model_sentence(m);
	struct wm_json *j = &d->data;
	struct wm_buf b;
	size_t i;

	if (!sentence)
		return wm_no_memory(d->err, "the model");
	wm_doc_title(d, "%s  memory model from %zu runs: %s", r->job[0].program,
		     r->args.runs, words[r->scaling][1]);
	wm_doc_print(d, "%s\n", sentence);
	wm_json_text(j, "sentence", sentence);
	free(sentence);
	wm_json_text(j, "quantity", "peak");
	wm_json_text(j, "scaling", words[r->scaling][0]);
	wm_json_uint(j, "next_run", wm_rounded(2 * m->near.n));
	wm_json_uint(j, "pool_bytes", wm_rounded(w->timed));
	wm_json_text(j, "pool_name", w->timed_name);
	if (w->timed > 0 && w->design.groups > 2)
		wm_doc_print(
			d,
			"High ends hold %s that ranks have by timing alone "
			"(%s): no part of a formula.\n",
			wm_bytes(&b, wm_rounded(w->timed)),
			w->timed_name ? w->timed_name :
					"a pool of requests of MPICH");
	wm_doc_print(d,
		     "N: ranks of the job; P: size of its problem; bytes: "
		     "%s\n",
		     r->has_static ? "heap peak and static memory" :
				     "heap peak");
	wm_json_array(j, "notes");
	for (i = 0; i < r->notes; i++) {
		wm_doc_print(d, "note: %s\n", r->note[i]);
		wm_json_text(j, NULL, r->note[i]);
	}
	wm_json_end_array(j);
	return WM_OK;
}

static enum wm_status build_model(const struct wm_model_report *m,
				  const struct wm_opts *o, struct wm_doc *d)
{
	enum wm_status s;
	struct wm_buf b;

	wm_json_object(&d->data, NULL);
	wm_json_text(&d->data, "schema", WM_JSON_SCHEMA);
	s = put_head(m, d);
	put_jobs(m, d);
	wm_doc_heading(d, "Formulas, with their bytes at %s rank%s",
		       wm_count(&b, wm_rounded(m->far->point.n)),
		       m->far->point.n == 1 ? "" : "s");
	put_formulas(m, o, d);
	if (!s)
		s = put_sites(m, o, d);
	wm_json_end_object(&d->data);
	return s;
}

/* --svg FILE, beside what else is written. */
static enum wm_status draw_model(const struct wm_model_report *m,
				 const struct wm_opts *o, struct wm_err *err)
{
	struct wm_output out;
	enum wm_status s = wm_output_open(&out, o->svg, o->force, err);

	if (s)
		return s;
	wm_model_svg(m, out.f);
	return wm_output_close(&out, WM_OK, err);
}

/* --html: the same and the picture, which a script makes views of. */
static enum wm_status put_page(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d)
{
	const char *program = m->runs.job[0].program;
	enum wm_status s;
	struct wm_doc page;

	wm_html_begin(program, d->out);
	wm_html_plain_begin(program, d->out);
	wm_model_svg(m, d->out);
	wm_doc_init(&page, &wm_page_form, d->out, d->err);
	s = wm_doc_end(&page, build_model(m, o, &page));
	wm_html_plain_end(d->out);
	wm_html_model_end(d->out);
	return s;
}

static int model_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_report *m = calloc(1, sizeof(*m));
	enum wm_status s = m ? wm_model_runs_read(&m->runs, o, false, d->err) :
			       wm_no_memory(d->err, "the model");
	bool partial = false;

	if (!s)
		wm_model_answers(m);
	if (!s && o->svg)
		s = draw_model(m, o, d->err);
	if (!s && o->page)
		s = put_page(m, o, d);
	else if (!s && !(o->svg && strcmp(o->svg, "-") == 0))
		s = build_model(m, o, d);
	s = wm_doc_close(d, s);
	if (m) {
		partial = m->runs.partial;
		wm_model_runs_release(&m->runs);
	}
	free(m);
	return wm_exit_status(s, partial, d->err);
}

static enum wm_status model_check(const struct wm_opts *o, struct wm_err *err)
{
	struct wm_model_args a;
	enum wm_status s = wm_model_args_parse(&a, o, err);

	wm_model_args_release(&a);
	return s;
}

const struct wm_report wm_model_report = {
	.name = "model",
	.help = "memory of other jobs, from two RUNs or more; see\n"
		"--problem-size",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases),
	.retains = WM_RETAINS(max) | WM_RETAINS_EACH,
	.check = model_check,
	.alone = model_main,
	.forms = WM_OWN_PICTURE | WM_HAS_PAGE,
};
