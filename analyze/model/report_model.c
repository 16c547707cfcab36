/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: how the memory of a rank depends on the job.
 */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/job/retained.h"
#include "analyze/queries/profile.h"
#include "analyze/render/bundle.h"
#include "analyze/render/html.h"
#include "analyze/render/output.h"
#include "analyze/report/exit.h"
#include "analyze/report/report.h"
#include "analyze/report/text.h"

#define FORMULAS_SHOWN 10
#define SITES_SHOWN 15
#define SHARE_FIRST 0.1 /* percent, of sites that come first: they grow */
#define TERMS_SHOWN 3
#define FORMULA (64 * WM_ROLE_TERMS) /* its text */

/* ---- jobs ---- */

static const struct wm_table_column job_columns[] = {
	{ "kind", "job", WM_UNIT_WORDS },
	{ "ranks", "N", WM_UNIT_EXACT },
	{ "size", "P", WM_UNIT_EXACT },
	{ "measured", "measured", WM_UNIT_BYTES },
	{ "bytes", "model", WM_UNIT_BYTES },
	{ "error_percent", "error", WM_UNIT_PERCENT },
	{ "low", "low", WM_UNIT_BYTES },
	{ "high", "high", WM_UNIT_BYTES },
	{ "role", "worst rank", WM_UNIT_WORDS },
	{ "open", NULL, WM_UNIT_FLAG },
	{ "missed", NULL, WM_UNIT_FLAG },
	{ "run", NULL, WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static void put_job(struct wm_table *t, const struct wm_model_report *m,
		    const struct wm_model_answer *a)
{
	const struct wm_prediction *p = &a->worst;

	wm_table_text(t, a->kind);
	wm_table_exact(t, a->point.n);
	wm_table_exact(t, a->point.p);
	wm_table_known(t, a->job, a->job ? wm_rounded(a->job->bytes) : 0);
	/* where the runs do not tell, the interval stands for the figure */
	wm_table_known(t, !p->untold, wm_rounded(p->bytes));
	if (a->job && !p->untold)
		wm_table_real(t, 100 * wm_model_error(a));
	else
		wm_table_none(t);
	wm_table_known(t, p->has_range, wm_rounded(p->low));
	wm_table_known(t, p->has_range, wm_rounded(p->high));
	wm_table_text(t, m->runs.model.role[p->role].name);
	wm_table_uint(t, !p->has_range || p->untold);
	wm_table_uint(t, wm_model_missed(a));
	wm_table_text(t, a->job ? a->job->path : NULL);
}

static void put_jobs(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	wm_doc_heading(d,
		       "Jobs of N ranks and a problem of P: %s at the peak of "
		       "the worst rank",
		       wm_model_quantity(m));
	wm_table_init(&t, job_columns);
	t.spare = "role error_percent measured";
	for (i = 0; i < m->answers; i++)
		put_job(&t, m, &m->answer[i]);
	wm_doc_table(d, &t, "jobs", 0, WM_FOR_ALL);
}

/* ---- laws: of roles, and of the sites of one ---- */

static const struct wm_table_column law_columns[] = {
	{ "role", "ranks", WM_UNIT_WORDS },
	{ "phase", "phase", WM_UNIT_TEXT },
	{ "share_percent", "share", WM_UNIT_PERCENT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "formula", NULL, WM_UNIT_TEXT },
	{ ".formula", "F(P,N)", WM_UNIT_WORDS },
	{ ".site", "site", WM_UNIT_TEXT },
	{ "name", NULL, WM_UNIT_TEXT },
	{ "path", NULL, WM_UNIT_TEXT },
	{ "grows", NULL, WM_UNIT_FLAG },
	{ NULL, NULL, 0 }
};

/* The law of the bytes of a role in a phase, or of one of its sites. */
struct law {
	size_t role, part;
	const struct wm_model_site *site; /* NULL: of all */
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t terms;
	double bytes, share; /* in the largest job, percent of its worst rank */
	bool grows;
};

/* "24.0 KiB * N + 8 bytes * P/N * (N > 1)", those with most bytes first; @exact:
 * for programs, all of them with all digits. */
static const char *formula(const struct wm_model_term *term, size_t count,
			   bool exact, char text[FORMULA])
{
	FILE *f = fmemopen(text, FORMULA, "w");
	size_t i, shown = exact ? count : TERMS_SHOWN;
	struct wm_buf b;

	for (i = 0; f && i < count && i < shown; i++) {
		double v = term[i].coefficient;

		fputs(i ? " + " : "", f);
		if (exact)
			fprintf(f, "%.12g", v);
		else if (v >= 1024)
			fputs(wm_bytes(&b, wm_rounded(v)), f);
		else
			fprintf(f, "%.3g byte%s", v, v == 1 ? "" : "s");
		if (term[i].term != WM_TERM_CONST)
			fprintf(f, " * %s", wm_term_symbol[term[i].term]);
		fputs(term[i].many ? " * (N > 1)" : "", f);
	}
	if (!f)
		return NULL;
	fputs(!count ? "0" : i < count ? " + ..." : "", f);
	return fclose(f) ? NULL : text;
}

static void put_law(struct wm_table *t, const struct wm_model_report *m,
		    const struct law *l)
{
	const struct wm_model *w = &m->runs.model;
	char site[WM_SITE_TEXT], text[FORMULA];

	wm_table_row(t, 0);
	wm_table_text(t, w->role[l->role].name);
	wm_table_text_or(t, w->part[l->part].name, "(none)");
	wm_table_real(t, l->share);
	wm_table_uint(t, wm_rounded(l->bytes));
	wm_table_text(t, formula(l->term, l->terms, true, text));
	wm_table_text(t, formula(l->term, l->terms, false, text));
	if (!l->site)
		return;
	wm_table_text(t, wm_profile_site(l->site->path, site));
	wm_table_text(t, l->site->name);
	wm_table_text(t, l->site->path);
	wm_table_uint(t, l->grows);
}

/* The law of a cell; NULL: that of all of them. */
static void find_law(struct law *l, const struct wm_model_report *m,
		     const struct wm_model_cell *c, size_t site)
{
	const struct wm_point *x = &m->far->point;
	const struct wm_model *w = &m->runs.model;
	size_t i;

	l->terms = wm_model_terms(w, l->role, l->part, site, x, l->term);
	l->bytes = c ? wm_fit_value(&c->fit, x) :
		       wm_model_value(w, l->role, l->part, x);
	if (l->bytes > 0)
		l->share = 100 * l->bytes / m->far->worst.bytes;
	for (i = 0; i < l->terms; i++)
		l->grows |= WM_TERM_BIT(l->term[i].term) & WM_TERMS_GROWING;
}

static void put_formulas(const struct wm_model_report *m,
			 const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs.model;
	const char *view = w->parts > 1 ? "role phase bytes .formula" :
					  "role bytes .formula";
	struct wm_table t;
	struct wm_buf b;
	size_t i, k;

	wm_doc_heading(d, "Formulas, with their bytes at N = %s",
		       wm_count(&b, wm_rounded(m->far->point.n)));
	wm_table_init(&t, law_columns);
	wm_table_level(&t, view, 0, NULL);
	t.data_view = "role phase bytes formula";
	for (i = 0; i < w->roles; i++)
		for (k = 0; w->role[i].seen && k < w->parts; k++) {
			struct law l = { .role = i, .part = k };

			find_law(&l, m, NULL, SIZE_MAX);
			put_law(&t, m, &l);
		}
	wm_doc_table(d, &t, "formulas", wm_top(o, FORMULAS_SHOWN),
		     WM_FOR_TEXT | WM_FOR_DATA);
}

/* Those that grow and hold something first. */
static int by_value(const void *pa, const void *pb)
{
	const struct law *a = pa, *b = pb;
	int first = (b->grows && b->share >= SHARE_FIRST) -
		    (a->grows && a->share >= SHARE_FIRST);

	return first ? first : (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

/* The sites of the role and phase of the worst rank. */
static enum wm_status put_sites(const struct wm_model_report *m,
				const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs.model;
	const struct wm_prediction *p = &m->far->worst;
	struct law *law = calloc(w->sites + 1, sizeof(*law));
	const char *phase = w->part[p->part].name;
	size_t n = 0, i;
	struct wm_table t;

	for (i = 0; law && i < w->sites; i++) {
		const struct wm_model_cell *c = wm_model_cell(w, p->part, i,
							      p->role);

		law[n] = (struct law){ .role = p->role, .part = p->part };
		law[n].site = &w->site[i];
		if (c)
			find_law(&law[n++], m, c, i);
	}
	if (!law)
		return wm_no_memory(d->err, "the model");
	qsort(law, n, sizeof(*law), by_value);
	wm_doc_heading(
		d, "Sites of %s%s%s%s, those that grow with the ranks first",
		w->role[p->role].name, phase ? " in phase '" : "",
		phase ? phase : "", phase ? "'" : "");
	wm_table_init(&t, law_columns);
	wm_table_level(&t, "share_percent bytes .formula .site", 0, NULL);
	t.data_view = "share_percent bytes formula name path grows";
	for (i = 0; i < n; i++)
		put_law(&t, m, &law[i]);
	wm_doc_table(d, &t, "sites", wm_top(o, SITES_SHOWN),
		     WM_FOR_TEXT | WM_FOR_DATA);
	free(law);
	return WM_OK;
}

/* ---- all of it ---- */

static enum wm_status put_head(const struct wm_model_report *m,
			       struct wm_doc *d)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model *w = &r->model;
	const char *scaling = w->design.one_p	  ? "strong" :
			      w->design.one_share ? "weak" :
						    "mixed";
	char *sentence = wm_model_sentence(m);
	struct wm_json *j = &d->data;
	struct wm_buf b;
	size_t i;

	if (!sentence)
		return wm_no_memory(d->err, "the model");
	wm_doc_title(d, "%s  memory model from %zu runs: %s scaling",
		     r->job[0].program, r->runs, scaling);
	wm_doc_print(d, "%s\n", sentence);
	if (w->timed > 0 && w->design.used > 2)
		wm_doc_print(d,
			     "High ends hold %s that ranks have by timing "
			     "alone (%s): no part of a formula.\n",
			     wm_bytes(&b, wm_rounded(w->timed)),
			     w->timed_name ? w->timed_name :
					     "a pool of requests of MPICH");
	wm_json_text(j, "sentence", sentence);
	free(sentence);
	wm_json_text(j, "quantity", wm_model_quantity(m));
	wm_json_text(j, "scaling", scaling);
	wm_json_uint(j, "next_run", wm_rounded(m->next.n));
	wm_json_uint(j, "pool_bytes", wm_rounded(w->timed));
	wm_json_text(j, "pool_name", w->timed_name);
	wm_json_array(j, "notes");
	for (i = 0; i < r->said.note_count; i++) {
		wm_doc_print(d, "note: %s\n", r->said.notes[i]);
		wm_json_text(j, NULL, r->said.notes[i]);
	}
	wm_json_end_array(j);
	return WM_OK;
}

static enum wm_status put_tables(const struct wm_model_report *m,
				 const struct wm_opts *o, struct wm_doc *d)
{
	put_jobs(m, d);
	put_formulas(m, o, d);
	return put_sites(m, o, d);
}

static enum wm_status build_model(const struct wm_model_report *m,
				  const struct wm_opts *o, struct wm_doc *d)
{
	enum wm_status s;

	wm_json_object(&d->data, NULL);
	wm_json_text(&d->data, "schema", WM_JSON_SCHEMA);
	s = put_head(m, d);
	if (!s)
		s = put_tables(m, o, d);
	wm_json_end_object(&d->data);
	return s;
}

/* --html: the same with the picture behind the answer. */
static enum wm_status put_page(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d)
{
	const char *program = m->runs.job[0].program;
	enum wm_status s;
	struct wm_doc page;

	wm_html_begin(program, d->out);
	wm_html_plain_begin(program, d->out);
	fputs("<h2>Memory model</h2>\n", d->out);
	wm_doc_init(&page, &wm_page_form, d->out, d->err);
	s = wm_doc_end(&page, put_head(m, &page));
	wm_model_svg(m, d->out);
	wm_doc_init(&page, &wm_page_form, d->out, d->err);
	if (!s)
		s = wm_doc_end(&page, put_tables(m, o, &page));
	wm_html_plain_end(d->out);
	wm_html_end(wm_bundle_model, d->out);
	return s;
}

static int model_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_report *m = calloc(1, sizeof(*m));
	enum wm_status s = m ? wm_model_runs_read(&m->runs, o, false, d->err) :
			       wm_no_memory(d->err, "the model");
	bool partial = false;

	if (!s)
		s = wm_model_fit(&m->runs.model, d->err);
	if (!s)
		wm_model_answers(m);
	if (!s && o->svg)
		s = wm_output_draw(o->svg, o->force, wm_model_svg, m, d->err);
	if (!s && o->page)
		s = put_page(m, o, d);
	else if (!s && !wm_output_is_dash(o->svg))
		s = build_model(m, o, d);
	s = wm_doc_close(d, s);
	if (m) {
		partial = m->runs.partial;
		wm_model_runs_release(&m->runs);
	}
	free(m);
	return wm_exit_status(s, partial, d->err);
}

const struct wm_report wm_model_report = {
	.name = "model",
	.help = "memory of other jobs, from two RUNs or more; see\n"
		"--problem-size",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases) | WM_NEEDS(lifetime),
	.retains = WM_RETAINS(max) | WM_RETAINS_EACH,
	.alone = model_main,
	.forms = WM_OWN_PICTURE | WM_HAS_PAGE,
};
