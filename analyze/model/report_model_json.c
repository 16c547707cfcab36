/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>

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
	size_t i;

	wm_json_array(j, "terms");
	for (i = 0; i < n; i++) {
		const struct wm_term_text *text = &wm_term_text[term[i].term];

		wm_json_flat_object(j, NULL);
		wm_json_text(j, "term", text->symbol);
		wm_json_real(j, "coefficient", term[i].coefficient, 9);
		wm_json_text(j, "unit", text->unit);
		wm_json_real(j, "share", sum > 0 ? term[i].bytes / sum : 0, 6);
		wm_json_text(j, "holds", term[i].many ? "N > 1" : "always");
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

/* Text that is malloc'ed, and released here. */
static void put_formula(struct wm_json *j, char *text)
{
	wm_json_text(j, "formula", text);
	free(text);
}

static void put_site(const struct wm_model_report *m,
		     const struct wm_model_row *r, double sum,
		     struct wm_json *j)
{
	const struct wm_model *w = &m->runs->model;
	const struct wm_model_site *s = r->site;
	const struct wm_fit *f = &r->cell->fit;
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t i;

	wm_json_object(j, NULL);
	wm_json_text(j, "name", s->name);
	wm_json_text(j, "path", s->path);
	wm_json_text(j, "file", s->file);
	wm_json_uint(j, "line", s->line);
	wm_json_flat_array(j, "measured");
	for (i = 0; i < w->runs; i++)
		wm_json_uint(j, NULL, wm_rounded(r->cell->bytes[i]));
	wm_json_end_array(j);
	wm_json_bool(j, "pooled", s->timed);
	wm_json_text(j, "class", wm_fit_class(f));
	wm_json_bool(j, "grows", wm_fit_grows(f));
	put_formula(j, wm_fit_text(f));
	put_terms(term, wm_model_terms(w, 0, 0, f, &m->far, term), r->bytes, j);
	wm_json_uint(j, "bytes", wm_rounded(r->bytes));
	wm_json_real(j, "share", sum > 0 ? r->bytes / sum : 0, 6);
	wm_json_end_object(j);
}

/* What ranks have by timing alone. */
static void put_pool(const struct wm_model *w, struct wm_json *j)
{
	size_t i, n = 0;

	for (i = 0; i < w->sites; i++)
		n += w->site[i].timed;
	wm_json_object(j, "pool");
	wm_json_uint(j, "sites", n);
	wm_json_text(j, "class", "by timing");
	wm_json_bool(j, "grows", false);
	wm_json_text(j, "formula", "0 bytes");
	wm_json_array(j, "terms");
	wm_json_end_array(j);
	wm_json_uint(j, "bytes", wm_rounded(w->timed));
	wm_json_real(j, "share", 0, 6);
	wm_json_text(j, "name", w->timed_name);
	wm_json_end_object(j);
}

/* A part of a role: its terms and at most @most of its sites. */
static enum wm_status put_part(const struct wm_model_report *m, size_t role,
			       size_t part, size_t most, struct wm_json *j,
			       struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model;
	double sum = wm_model_value(w, role, part, &m->far);
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t count, i;
	struct wm_model_row *list = wm_model_rows(w, role, part, &m->far,
						  &count);

	if (!list)
		return wm_no_memory(err, NULL);
	put_terms(term, wm_model_terms(w, role, part, NULL, &m->far, term), sum,
		  j);
	if (w->design.groups > 2)
		wm_json_real(j, "left_out_error", w->part[part].error[role], 6);
	else
		wm_json_text(j, "left_out_error", NULL);
	wm_json_array(j, "sites");
	for (i = 0; i < count && i < most; i++)
		put_site(m, &list[i], sum, j);
	wm_json_end_array(j);
	put_pool(w, j);
	free(list);
	return WM_OK;
}

static void put_answers(const struct wm_model_report *m, enum wm_view v,
			struct wm_json *j)
{
	size_t i;

	wm_json_array(j, "predictions");
	for (i = 0; i < m->asks; i++) {
		const struct wm_model_answer *a = &m->ask[i];
		const struct wm_prediction *p = &a->said[v];

		wm_json_flat_object(j, NULL);
		put_number(j, "ranks", a->point.n);
		put_number(j, "size", a->point.p);
		wm_json_uint(j, "bytes", wm_rounded(p->bytes));
		wm_json_known(j, "low", p->has_range, wm_rounded(p->low));
		wm_json_known(j, "high", p->has_range, wm_rounded(p->high));
		wm_json_bool(j, "open", wm_prediction_is_open(p));
		wm_json_text(j, "role", m->runs->model.role[p->role].name);
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
		wm_json_bool(j, "missed", wm_model_missed(a, v));
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

static enum wm_status put_view(const struct wm_model_report *m, enum wm_view v,
			       const char *key, size_t most, struct wm_json *j,
			       struct wm_err *err)
{
	const struct wm_model *w = &m->runs->model;
	struct wm_prediction top = wm_model_predict(w, v, &m->far);
	enum wm_status s;
	size_t i;

	wm_json_object(j, key);
	put_formula(j, wm_role_text(m, top.role, false));
	wm_json_text(j, "role", w->role[top.role].name);
	s = put_part(m, top.role, top.part, most, j, err);
	put_answers(m, v, j);
	wm_json_known(j, "fits_ranks", m->fits[v] != 0, m->fits[v]);
	wm_json_known(j, "overflow_ranks", m->overflows[v] != 0,
		      m->overflows[v]);
	wm_json_array(j, "phases");
	for (i = 0; i < w->parts && w->parts > 1 && !s; i++) {
		wm_json_object(j, NULL);
		wm_json_text(j, "name", w->part[i].name);
		put_formula(j, wm_part_text(w, top.role, i, &m->far, NULL));
		s = put_part(m, top.role, i, most, j, err);
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

static void put_roles(const struct wm_model_report *m, struct wm_json *j)
{
	const struct wm_model *w = &m->runs->model;
	size_t i, k;

	wm_json_array(j, "roles");
	for (i = 0; i < w->roles; i++) {
		double most = 0;

		if (!w->role[i].seen)
			continue;
		for (k = 0; k < w->parts; k++)
			most = fmax(most, wm_model_value(w, i, k, &m->far));
		wm_json_object(j, NULL);
		wm_json_text(j, "name", w->role[i].name);
		wm_json_uint(j, "runs",
			     (uint64_t)__builtin_popcountll(w->role[i].seen));
		put_formula(j, wm_role_text(m, i, false));
		wm_json_uint(j, "bytes", wm_rounded(most));
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	put_number(j, "next_run", wm_model_next_run(w));
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
	put_roles(m, j);
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
