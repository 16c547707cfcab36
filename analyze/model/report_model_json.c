/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/model/model_text.h"
#include "analyze/report/report.h"

/* An integer where it is one. */
static void put_number(struct wm_json *j, const char *key, double v)
{
	if (v >= 0 && v < 0x1p53 && v == floor(v))
		wm_json_uint(j, key, (uint64_t)v);
	else
		wm_json_real(j, key, v, 6);
}

static void put_terms(const struct wm_model_term *term, size_t n, double sum,
		      struct wm_json *j)
{
	static const char *const when[WM_WHENS] = {
		[WM_WHEN_ALWAYS] = "always",
		[WM_WHEN_MANY] = "N > 1",
		[WM_WHEN_ONE] = "N = 1",
	};
	size_t i;

	wm_json_array(j, "terms");
	for (i = 0; i < n; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_text(j, "term", wm_term_symbol[term[i].term]);
		wm_json_real(j, "coefficient", term[i].coefficient, 9);
		wm_json_text(j, "unit", wm_term_unit[term[i].term]);
		wm_json_real(j, "share", sum > 0 ? term[i].bytes / sum : 0, 6);
		wm_json_text(j, "holds", when[term[i].when]);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

/* The terms of one site. */
static size_t site_terms(const struct wm_fit *f, const struct wm_point *x,
			 struct wm_model_term *term)
{
	size_t i;

	for (i = 0; i < f->best.count; i++)
		term[i] = wm_model_term(f->best.term[i], f->when,
					f->best.coefficient[i], x);
	return f->best.count;
}

static enum wm_status put_fit(const struct wm_fit *f, const struct wm_point *x,
			      double sum, struct wm_json *j, struct wm_err *err)
{
	struct wm_model_term term[WM_FIT_TERMS];
	char *text = wm_fit_text(f);

	if (!text)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_json_text(j, "class", wm_fit_class(f));
	wm_json_bool(j, "grows", wm_fit_grows(f));
	wm_json_text(j, "formula", text);
	put_terms(term, site_terms(f, x, term), wm_fit_value(f, x), j);
	wm_json_uint(j, "bytes", wm_rounded(wm_fit_value(f, x)));
	wm_json_real(j, "share", sum > 0 ? wm_fit_value(f, x) / sum : 0, 6);
	free(text);
	return WM_OK;
}

static enum wm_status put_site(const struct wm_model_site *s, size_t runs,
			       const struct wm_point *x, double sum,
			       struct wm_json *j, struct wm_err *err)
{
	enum wm_status r;
	size_t i;

	wm_json_object(j, NULL);
	wm_json_text(j, "name", s->name);
	wm_json_text(j, "path", s->path);
	wm_json_text(j, "file", s->file);
	wm_json_uint(j, "line", s->line);
	wm_json_flat_array(j, "measured");
	for (i = 0; i < runs; i++)
		wm_json_uint(j, NULL, wm_rounded(s->bytes[i]));
	wm_json_end_array(j);
	wm_json_bool(j, "pooled", s->pooled);
	r = put_fit(&s->fit, x, sum, j, err);
	wm_json_end_object(j);
	return r;
}

/* At most @most of them. */
static enum wm_status put_sites(const struct wm_model_part *p, size_t runs,
				const struct wm_point *x, size_t most,
				struct wm_json *j, struct wm_err *err)
{
	const struct wm_model_site **list = wm_model_order(p, x);
	double sum = wm_part_value(p, x);
	enum wm_status s = WM_OK;
	size_t i;

	if (!list)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_json_array(j, "sites");
	for (i = 0; i < p->count && i < most && !s; i++)
		s = put_site(list[i], runs, x, sum, j, err);
	wm_json_end_array(j);
	free(list);
	if (s)
		return s;
	wm_json_object(j, "pool");
	wm_json_uint(j, "sites", p->pooled);
	s = put_fit(&p->pool, x, sum, j, err);
	wm_json_end_object(j);
	return s;
}

/* A part: its formula, terms and sites. */
static enum wm_status put_part(const struct wm_model_part *p, size_t runs,
			       const struct wm_point *x, size_t most,
			       struct wm_json *j, struct wm_err *err)
{
	struct wm_model_term term[WM_PART_TERMS];
	size_t n = wm_part_terms(p, x, term);

	put_terms(term, n, wm_part_value(p, x), j);
	if (p->crossed)
		wm_json_real(j, "left_out_error", p->error, 6);
	else
		wm_json_text(j, "left_out_error", NULL);
	return put_sites(p, runs, x, most, j, err);
}

static void put_answers(const struct wm_model_report *m, enum wm_view v,
			struct wm_json *j)
{
	size_t i;

	wm_json_array(j, "predictions");
	for (i = 0; i < m->asks; i++) {
		const struct wm_model_answer *a = &m->ask[i];

		wm_json_flat_object(j, NULL);
		put_number(j, "ranks", a->point.n);
		put_number(j, "size", a->point.p);
		wm_json_uint(j, "bytes", wm_rounded(a->said[v].bytes));
		wm_json_known(j, "low", a->said[v].has_range,
			      wm_rounded(a->said[v].low));
		wm_json_known(j, "high", a->said[v].has_range,
			      wm_rounded(a->said[v].high));
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_array(j, "checks");
	for (i = 0; i < m->checks; i++) {
		const struct wm_model_answer *a = &m->check[i];

		wm_json_flat_object(j, NULL);
		put_number(j, "ranks", a->point.n);
		put_number(j, "size", a->point.p);
		wm_json_uint(j, "measured", wm_rounded(a->job->bytes[v]));
		wm_json_uint(j, "predicted", wm_rounded(a->said[v].bytes));
		wm_json_real(j, "error", wm_model_error(a, v), 6);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

static enum wm_status put_view(const struct wm_model_report *m, enum wm_view v,
			       const char *key, size_t most, struct wm_json *j,
			       struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model[v];
	size_t top = wm_model_predict(w, &m->far).part, i;
	char *text = wm_model_text(w, &m->far, NULL, NULL);
	enum wm_status s;

	if (!text)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_json_object(j, key);
	wm_json_text(j, "formula", text);
	free(text);
	s = put_part(&w->part[top], w->runs, &m->far, most, j, err);
	put_answers(m, v, j);
	wm_json_known(j, "fits_ranks", m->fits[v] != 0, m->fits[v]);
	wm_json_known(j, "overflow_ranks", m->overflows[v] != 0,
		      m->overflows[v]);
	wm_json_array(j, "phases");
	for (i = 0; i < w->parts && w->parts > 1 && !s; i++) {
		text = wm_part_text(&w->part[i], &m->far, NULL);
		if (!text) {
			s = wm_err_set(err, WM_NO_MEMORY, "no memory");
			break;
		}
		wm_json_object(j, NULL);
		wm_json_text(j, "name", w->part[i].name);
		wm_json_text(j, "formula", text);
		free(text);
		s = put_part(&w->part[i], w->runs, &m->far, most, j, err);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
	return s;
}

static void put_origin(const struct wm_model_job *job, struct wm_json *j)
{
	char id[2 * 64 + 1] = "";
	size_t i;

	for (i = 0; i < job->build_size && i < 64; i++)
		sprintf(id + 2 * i, "%02x", job->build[i]);
	wm_json_text(j, "command", job->command);
	wm_json_text(j, "started", job->started[0] ? job->started : NULL);
	wm_json_text(j, "build_id", id[0] ? id : NULL);
}

static void put_runs(const struct wm_model_report *m, struct wm_json *j)
{
	const struct wm_model_runs *r = m->runs;
	size_t i;

	wm_json_array(j, "runs");
	for (i = 0; i < r->jobs; i++) {
		const struct wm_model_answer *a =
			i < r->args.runs ? &m->run[i] :
					   &m->check[i - r->args.runs];

		wm_json_flat_object(j, NULL);
		wm_json_text(j, "program", r->job[i].program);
		wm_json_text(j, "id", r->job[i].id);
		put_origin(&r->job[i], j);
		put_number(j, "ranks", a->point.n);
		put_number(j, "size", a->point.p);
		wm_json_bool(j, "check", i >= r->args.runs);
		wm_json_uint(j, "bytes",
			     wm_rounded(a->job->bytes[WM_VIEW_worst]));
		wm_json_uint(j, "modelled",
			     wm_rounded(a->said[WM_VIEW_worst].bytes));
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_array(j, "notes");
	for (i = 0; i < r->notes; i++)
		wm_json_text(j, NULL, r->note[i]);
	wm_json_end_array(j);
}

enum wm_status wm_model_keys(const struct wm_model_report *m, size_t most,
			     struct wm_json *j, struct wm_err *err)
{
	static const char *const scaling[] = { "strong", "weak", "mixed" };

	wm_json_text(j, "quantity",
		     m->runs->args.working_set ? "working-set" : "peak");
	put_runs(m, j);
	wm_json_text(j, "scaling", scaling[m->runs->scaling]);
	wm_json_flat_object(j, "shares_at");
	put_number(j, "ranks", m->far.n);
	put_number(j, "size", m->far.p);
	wm_json_end_object(j);
	return put_view(m, WM_VIEW_worst, "model", most, j, err);
}

enum wm_status wm_model_data(const struct wm_model_report *m, struct wm_json *j,
			     struct wm_err *err)
{
	enum wm_status s;
	size_t v;

	wm_json_object(j, NULL);
	wm_json_text(j, "schema", WM_JSON_SCHEMA);
	s = wm_model_keys(m, SIZE_MAX, j, err);
	wm_json_object(j, "models");
	for (v = 0; v < WM_VIEWS && !s; v++)
		s = put_view(m, v, wm_view_name[v], SIZE_MAX, j, err);
	wm_json_end_object(j);
	wm_json_end_object(j);
	return s;
}
