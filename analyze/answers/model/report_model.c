/* SPDX-License-Identifier: Apache-2.0 */
/* --model: how the memory of a rank depends on the job. */
#include "analyze/answers/model/report_model.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/job/retained.h"
#include "analyze/answers/heap/profile.h"
#include "analyze/render/page_bundle.h"
#include "analyze/render/html.h"
#include "analyze/render/output.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "wm/search.h"

#define SITES_SHOWN 15
#define LEAST_SHARE 0.001 /* of sites that are reported to grow */
#define TERMS_SHOWN 3
#define FORMULA (64 * 2 * WM_TERMS) /* bytes of its text */

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
};

static void put_jobs(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;

	wm_doc_heading(d,
		       "Jobs of N ranks and a problem of P: %s at the peak of "
		       "the worst rank",
		       m->quantity);
	WM_TABLE_INIT(&t, job_columns);
	t.spare = "role error_percent measured";
	for (size_t i = 0; i < m->answers; i++) {
		const struct wm_model_answer *a = &m->answer[i];
		const struct wm_prediction *p = &a->worst;

		wm_table_text(&t, a->kind);
		wm_table_exact(&t, a->point.n);
		wm_table_exact(&t, a->point.p);
		WM_TABLE_ADD(&t,
			     wm_known(a->job,
				      a->job ? wm_rounded(a->job->bytes) : 0));
		/* an interval replaces the figure of an open answer */
		WM_TABLE_ADD(&t, wm_known(!p->untold, wm_rounded(p->bytes)),
			     wm_known_real(a->job && !p->untold,
					   100 * a->error),
			     wm_known(p->has_range, wm_rounded(p->low)),
			     wm_known(p->has_range, wm_rounded(p->high)),
			     m->runs.model.role[p->role].name,
			     !p->has_range || p->untold, a->missed,
			     a->job ? a->job->path : NULL);
	}
	wm_doc_table(d, &t, "jobs", 0, WM_FOR_ALL);
}

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
};

/* Writes a formula, the terms with most bytes first: "24.0 KiB * N + 8 bytes
 * * P/N * (N > 1)".  With @exact, for programs, writes all terms with all
 * digits. */
static const char *formula(const struct wm_law *l, bool exact,
			   char text[FORMULA])
{
	FILE *f = fmemopen(text, FORMULA, "w");
	size_t i, shown = exact ? l->terms : TERMS_SHOWN;
	struct wm_figure b;

	for (i = 0; f && i < l->terms && i < shown; i++) {
		const struct wm_law_term *t = &l->term[i];
		double v = t->coefficient;

		fputs(i ? " + " : "", f);
		if (exact)
			fprintf(f, "%.12g", v);
		else if (v >= 1024)
			fputs(wm_bytes(&b, wm_rounded(v)), f);
		else
			fprintf(f, "%.3g byte%s", v, v == 1 ? "" : "s");
		if (t->term != WM_TERM_CONST)
			fprintf(f, " * %s", wm_term_symbol[t->term]);
		fputs(t->many ? " * (N > 1)" : "", f);
	}
	if (!f)
		return NULL;
	fputs(!i ? "0" : i < l->terms ? " + ..." : "", f);
	return fclose(f) ? NULL : text;
}

static void put_law(struct wm_table *t, const struct wm_model_report *m,
		    const struct wm_law *l)
{
	const struct wm_model *w = &m->runs.model;
	const struct wm_model_site *of = l->site < w->sites ?
						 &w->site[l->site] :
						 NULL;
	char site[WM_SITE_TEXT], exact[FORMULA], text[FORMULA];

	wm_table_text(t, w->role[l->role].name);
	wm_table_text_or(t, l->part ? w->parts.item[l->part].key : NULL,
			 "(none)");
	WM_TABLE_ADD(t, 100 * l->bytes / fmax(m->far->worst.bytes, 1),
		     wm_rounded(l->bytes), formula(l, true, exact),
		     formula(l, false, text),
		     of ? wm_profile_site(of->path, site) : "all",
		     of ? of->name : NULL, of ? of->path : NULL, l->grows);
}

/* Growing formulas first, then those with most bytes. */
static int by_value(const void *pa, const void *pb)
{
	const struct wm_law *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(b->grows, a->grows),
		       WM_ORDER(b->bytes, a->bytes));
}

/* Writes the formulas of all roles, and those of the sites in the role and
 * phase of the worst rank. */
static enum wm_status put_laws(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d)
{
	const struct wm_model *w = &m->runs.model;
	const struct wm_prediction *p = &m->far->worst;
	const struct wm_point *x = &m->far->point;
	struct wm_law *law = calloc(w->sites + w->roles * w->parts.count,
				    sizeof(*law));
	size_t n = 0, roles, i, k;
	struct wm_table t;
	struct wm_figure b;

	if (!law)
		return wm_no_memory(d->err, "the model");
	for (i = 0; i < w->roles; i++)
		for (k = 0; w->role[i].seen && k < w->parts.count; k++)
			law[n++] = wm_model_law(w, i, k, SIZE_MAX, x);
	roles = n;
	for (i = 0; i < w->sites; i++)
		if (wm_model_cell(w, p->part, i, p->role)) {
			law[n] = wm_model_law(w, p->role, p->part, i, x);
			law[n].grows &= law[n].bytes >= LEAST_SHARE * p->bytes;
			n++;
		}
	qsort(law + roles, n - roles, sizeof(*law), by_value);
	wm_doc_heading(
		d,
		"Formulas at N = %s, and of the sites of %s, those that grow with the ranks first",
		wm_count(&b, wm_rounded(x->n)), w->role[p->role].name);
	WM_TABLE_INIT(&t, law_columns);
	wm_table_level(&t,
		       w->parts.count > 1 ?
			       "role phase share_percent bytes .formula .site" :
			       "role share_percent bytes .formula .site",
		       0, NULL);
	t.spare = "share_percent";
	for (i = 0; i < n; i++)
		put_law(&t, m, &law[i]);
	wm_doc_table(d, &t, "formulas", wm_top(o, roles + SITES_SHOWN),
		     WM_FOR_TEXT | WM_FOR_DATA);
	free(law);
	return WM_OK;
}

static const char too_many[] = "16.0 EiB (2^64 bytes) stands for that or more";

static enum wm_status put_head(const struct wm_model_report *m,
			       struct wm_doc *d)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model *w = &r->model;
	const char *scaling = w->design.one_p	  ? "strong" :
			      w->design.one_share ? "weak" :
						    "mixed";
	char *sentence = wm_model_sentence(m);
	bool ends = false;
	struct wm_json *j = &d->data;
	struct wm_figure b;

	if (!sentence)
		return wm_no_memory(d->err, "the model");
	wm_doc_title(d, "%s  memory model from %zu runs: %s scaling",
		     r->program, r->runs, scaling);
	wm_doc_print(d, "%s\n", sentence);
	if (w->timed > 0 && w->design.used > 2)
		wm_doc_print(d,
			     "The high ends include %s that depend on timing "
			     "(%s) and are part of no formula.\n",
			     wm_bytes(&b, wm_rounded(w->timed)),
			     w->timed_name ? w->timed_name :
					     "a pool of requests of MPICH");
	wm_json_text(j, "sentence", sentence);
	free(sentence);
	WM_JSON_ADD(j, "quantity scaling pool_name next_run pool_bytes",
		    m->quantity, scaling, w->timed_name, wm_rounded(m->next.n),
		    wm_rounded(w->timed));
	for (size_t i = 0; i < m->answers; i++)
		ends |= m->answer[i].worst.high >= 0x1p64 ||
			m->answer[i].worst.bytes >= 0x1p64;
	wm_json_array(j, "notes");
	if (ends) {
		wm_doc_print(d, "note: %s\n", too_many);
		wm_json_text(j, NULL, too_many);
	}
	for (size_t i = 0; i < r->said.note_count; i++) {
		wm_doc_print(d, "note: %s\n", r->said.notes[i]);
		wm_json_text(j, NULL, r->said.notes[i]);
	}
	wm_json_end_array(j);
	return WM_OK;
}

static enum wm_status build_model(const struct wm_model_report *m,
				  const struct wm_opts *o, struct wm_doc *d)
{
	enum wm_status s;

	wm_json_object(&d->data, NULL);
	wm_json_text(&d->data, "schema", WM_JSON_SCHEMA);
	s = put_head(m, d);
	put_jobs(m, d);
	s = s ? s : put_laws(m, o, d);
	wm_json_end_object(&d->data);
	return s;
}

/* --html: writes the same below the picture. */
static enum wm_status put_page(const struct wm_model_report *m,
			       const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_doc page;

	wm_html_begin(m->runs.program, d->out);
	wm_html_plain_begin(m->runs.program, d->out);
	fputs("<h2>Memory model</h2>\n", d->out);
	wm_model_svg(m, d->out);
	wm_doc_init(&page, &wm_page_form, d->out, d->err);
	wm_doc_end(&page, build_model(m, o, &page));
	wm_html_plain_end(d->out);
	wm_html_end(wm_bundle_model, d->out);
	return page.status;
}

static int model_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_report m = { .answers = 0 };
	enum wm_status s = wm_model_runs_read(&m.runs, o, false, d->err);
	int status;

	if (!s)
		s = wm_model_fit(&m.runs.model, d->err);
	if (!s)
		wm_model_answers(&m);
	if (!s && o->svg)
		s = wm_output_draw(o->svg, o->force, wm_model_svg, &m, d->err);
	if (!s && o->page)
		s = put_page(&m, o, d);
	else if (!s && !wm_output_is_dash(o->svg))
		s = build_model(&m, o, d);
	s = wm_doc_close(d, s);
	status = wm_exit_status(s, m.runs.partial, d->err);
	wm_model_runs_release(&m.runs);
	return status;
}

const struct wm_report wm_model_report = {
	.name = "model",
	.help = "memory of other jobs, modelled from two RUNs or more\n"
		"(--problem-size, --predict)",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases) | WM_NEEDS(lifetime),
	.retains = WM_RETAINS(max) | WM_RETAINS_EACH,
	.alone = model_main,
	.forms = WM_OWN_PICTURE | WM_HAS_PAGE,
};
