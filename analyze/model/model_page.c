/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of --model --html: the plain part is what --model tells, with its
 * picture; the data are those of --model --json and the curve.
 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/render/html.h"
#include "analyze/render/packed.h"
#include "wm/version.h"

#define SCHEMA "wmtools.model-page/1"
#define SITES 1000 /* of a formula, those that hold most */
#define LONGEST_TEXT 4000

static void put_step(const struct wm_model_report *m,
		     const struct wm_model_answer *a, struct wm_json *j)
{
	const struct wm_prediction *w = &a->said[WM_VIEW_worst];

	wm_json_flat_object(j, NULL);
	wm_json_real(j, "x", wm_model_curve_x(m, &a->point), 6);
	wm_json_real(j, "ranks", a->point.n, 6);
	wm_json_real(j, "size", a->point.p, 6);
	wm_json_uint(j, "bytes", wm_rounded(w->bytes));
	wm_json_known(j, "low", w->has_range, wm_rounded(w->low));
	wm_json_known(j, "high", w->has_range, wm_rounded(w->high));
	wm_json_uint(j, "mean", wm_rounded(a->said[WM_VIEW_mean].bytes));
	wm_json_bool(j, "open", wm_prediction_is_open(w));
	wm_json_end_object(j);
}

static void put_curve(const struct wm_model_report *m, struct wm_json *j)
{
	const struct wm_model_args *a = &m->runs->args;
	double low = INFINITY, high = 0, v;
	size_t i;

	for (i = 0; i < a->runs; i++) {
		v = wm_model_curve_x(m, &m->run[i].point);
		low = fmin(low, v);
		high = fmax(high, v);
	}
	wm_json_object(j, "curve");
	wm_json_bool(j, "by_size", m->by_size);
	wm_json_real(j, "measured_low", low, 6);
	wm_json_real(j, "measured_high", high, 6);
	wm_json_array(j, "steps");
	for (i = 0; i < m->steps; i++)
		put_step(m, &m->step[i], j);
	wm_json_end_array(j);
	wm_json_known(j, "node_bytes", a->node != 0, a->node);
	wm_json_known(j, "ranks_per_node", a->node != 0,
		      wm_rounded(a->per_node));
	wm_json_end_object(j);
}

/* "With 64 ranks the worst rank needs ..."; NULL: no memory. */
static char *make_sentence(const struct wm_model_report *m, struct wm_err *err)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	enum wm_status s;
	struct wm_doc d;

	if (!f)
		return NULL;
	wm_doc_init(&d, &wm_text_form, f, err);
	wm_model_sentence(m, &d);
	s = wm_doc_end(&d, WM_OK);
	if (fclose(f) || s) {
		free(text);
		return NULL;
	}
	return text;
}

/* What the model was asked with, for the command that the page names. */
static void put_options(const struct wm_opts *o, struct wm_json *j)
{
	const char *const option[][2] = {
		{ "--problem-size", o->sizes },
		{ "--run-ranks", o->ranks },
		{ "--predict", o->predict },
		{ "--quantity", o->quantity },
		{ "--check", o->check_runs },
		{ "--grid", o->grid },
		{ "--decomp", o->decomp },
		{ "--node-memory", o->node_memory },
		{ "--ranks-per-node", o->ranks_per_node },
	};
	size_t i;

	wm_json_array(j, "options");
	for (i = 0; i < sizeof(option) / sizeof(*option); i++) {
		if (!option[i][1])
			continue;
		wm_json_text(j, NULL, option[i][0]);
		wm_json_text(j, NULL, option[i][1]);
	}
	wm_json_end_array(j);
}

static uint64_t left_out(const struct wm_model_report *m)
{
	size_t most = m->runs->model.sites, parts = m->runs->model.parts;

	return most > SITES ? (most - SITES) * parts : 0;
}

static enum wm_status put_data(const struct wm_model_report *m,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	char *sentence = make_sentence(m, err);
	enum wm_status s;
	struct wm_doc d;
	size_t i;

	if (!sentence)
		return wm_no_memory(err, "the page");
	wm_doc_init(&d, &wm_json_form, out, err);
	d.data.tight = true;
	d.data.longest = LONGEST_TEXT;
	wm_json_object(&d.data, NULL);
	wm_json_text(&d.data, "schema", SCHEMA);
	wm_json_text(&d.data, "version", WM_VERSION);
	wm_json_array(&d.data, "given");
	for (i = 0; i < o->request.run_count; i++)
		wm_json_text(&d.data, NULL, o->request.runs[i]);
	wm_json_end_array(&d.data);
	put_options(o, &d.data);
	wm_json_text(&d.data, "sentence", sentence);
	free(sentence);
	s = wm_model_keys(m, SITES, &d.data, err);
	put_curve(m, &d.data);
	wm_json_uint(&d.data, "sites_left_out", left_out(m));
	wm_json_uint(&d.data, "shortened", d.data.shortened);
	wm_json_end_object(&d.data);
	return wm_doc_end(&d, s);
}

static enum wm_status put_plain(const struct wm_model_report *m,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err)
{
	enum wm_status s;
	struct wm_doc d;

	wm_html_plain_begin(m->runs->job[0].program, out);
	wm_model_svg(m, out);
	wm_doc_init(&d, &wm_page_form, out, err);
	d.top_given = o->top_given;
	s = wm_model_people(m, o, &d, err);
	s = wm_doc_end(&d, s);
	wm_html_plain_end(out);
	return s;
}

enum wm_status wm_model_page(const struct wm_model_report *m,
			     const struct wm_opts *o, FILE *out,
			     struct wm_err *err)
{
	enum wm_status s;
	FILE *packed;

	wm_html_begin(m->runs->job[0].program, out);
	s = put_plain(m, o, out, err);
	packed = s ? NULL : wm_packed_open(out);
	if (!packed)
		return s ? s : wm_no_memory(err, "the page");
	wm_html_data_begin(out);
	s = put_data(m, o, packed, err);
	if (fclose(packed) && !s)
		s = wm_no_memory(err, "the page");
	wm_html_data_end(out);
	wm_html_model_end(out);
	return s;
}
