/* SPDX-License-Identifier: Apache-2.0 */
/* What a model says in words: formulas, and the answer in one sentence. */
#include "analyze/model/report_model.h"

#include <math.h>
#include <string.h>

#define SMALL 0.0005 /* shares that formulas leave out */

/* ---- numbers ---- */

/* "24.0 KiB", "0.125 bytes" */
static const char *amount(struct wm_buf *b, double bytes)
{
	if (bytes >= 1024)
		return wm_bytes(b, wm_rounded(bytes));
	snprintf(b->s, sizeof(b->s), "%.3g bytes", bytes);
	return strcmp(b->s, "1 bytes") ? b->s : "1 byte";
}

/* "4,000,000", "0.125" */
static const char *number(struct wm_buf *b, double v)
{
	if (v >= 1 && v < 1e15 && v == (double)wm_whole(v))
		return wm_count(b, wm_whole(v));
	snprintf(b->s, sizeof(b->s), "%.15g", v);
	return b->s;
}

/* ---- formulas ---- */

/* The terms that hold with several ranks alone come last, in brackets. */
static void put_terms(const struct wm_model_term *term, size_t count, FILE *f)
{
	size_t i, shown = 0, many;
	struct wm_buf b;

	for (many = 0; many < 2; many++) {
		bool open = false;

		for (i = 0; i < count; i++) {
			if (term[i].many != many)
				continue;
			fprintf(f, "%s%s%s", shown++ ? " + " : "",
				many && !open ? "[N > 1: " : "",
				amount(&b, term[i].coefficient));
			open = true;
			if (term[i].term != WM_TERM_CONST)
				fprintf(f, " * %s",
					wm_term_symbol[term[i].term]);
		}
		fputs(many && open ? "]" : "", f);
	}
	fputs(shown ? "" : "0 bytes", f);
}

char *wm_model_formula(const struct wm_model_report *m, size_t role,
		       size_t part, const struct wm_fit *fit)
{
	const struct wm_model *w = &m->runs.model;
	const struct wm_point *x = &m->far->point, *y = &m->near;
	double far = fit ? 0 : wm_model_value(w, role, part, x);
	double near = fit ? 0 : wm_model_value(w, role, part, y);
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t count = wm_model_terms(w, role, part, fit, x, term), n = 0, i;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < count; i++)
		if (term[i].bytes >= SMALL * far ||
		    term[i].coefficient * wm_term_value(term[i].term, y) >=
			    SMALL * near)
			term[n++] = term[i];
	put_terms(term, n, f);
	fputs(n < count ? " + ..." : "", f);
	return fclose(f) ? NULL : text;
}

/* ---- the sentence ---- */

void wm_model_job_text(const struct wm_point *x, FILE *out)
{
	struct wm_buf b, c;

	fprintf(out, "%s rank%s and a problem of %s", number(&b, x->n),
		x->n == 1 ? "" : "s", number(&c, x->p));
}

void wm_model_need(const struct wm_prediction *p, FILE *out)
{
	struct wm_buf b, low, high;

	if (!p->untold)
		fputs(wm_bytes(&b, wm_rounded(p->bytes)), out);
	if (!p->has_range)
		return;
	wm_bytes(&low, wm_rounded(p->low));
	wm_bytes(&high, wm_rounded(p->high));
	if (p->untold)
		fprintf(out, "between %s and %s", low.s, high.s);
	else if (strcmp(low.s, high.s) == 0)
		fputs(" (within the digits shown)", out);
	else
		fprintf(out, " (between %s and %s)", low.s, high.s);
}

static bool knows_no_ranks(const struct wm_model_report *m)
{
	return m->runs.model.design.like[WM_TERM_RANKS] == WM_TERM_CONST;
}

/* What one more rank changes, "; each further rank adds 1.1 MiB to it". */
static void put_slope(const struct wm_model_report *m, FILE *out)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_point *far = &m->far->point;
	struct wm_point next = { far->n + 1, far->p };
	struct wm_buf b;
	double each;

	if (knows_no_ranks(m))
		return;
	if (far->p == wm_model_runs_size(r, far->n))
		next.p = wm_model_runs_size(r, next.n);
	each = wm_model_predict(&r->model, WM_VIEW_worst, &next).bytes -
	       wm_model_predict(&r->model, WM_VIEW_worst, far).bytes;
	if (each > -0.5 && each < 0.5)
		fputs("; further ranks change nothing", out);
	else
		fprintf(out, "; each further rank %s %s %s it",
			each > 0 ? "adds" : "takes", amount(&b, fabs(each)),
			each > 0 ? "to" : "off");
}

/* Which other run would tell: twice the ranks, or half of the problem. */
static void put_wish(const struct wm_model_report *m, bool size, FILE *out)
{
	struct wm_point x = m->near;
	struct wm_buf b, c;

	if (size)
		x.p /= 2;
	else
		x.p = wm_model_runs_size(&m->runs, x.n *= 2);
	fprintf(out, "run %s rank%s with a problem of %s", number(&b, x.n),
		x.n == 1 ? "" : "s", number(&c, x.p));
}

/* Why the runs do not tell, and which run would. */
static void put_untold(const struct wm_model_report *m, enum wm_untold why,
		       FILE *out)
{
	static const char *const words[] = {
		[WM_UNTOLD_SIZE] = ": these runs do not tell how memory grows "
				   "with the problem: ",
		[WM_UNTOLD_RANKS] = ": these runs do not tell how memory grows "
				    "with the ranks: ",
		[WM_UNTOLD_WIDE] = ": these runs do not tell: ",
		[WM_UNTOLD_MISSED] = ": give that run to the model, too",
	};

	fputs(words[why], out);
	if (why != WM_UNTOLD_MISSED)
		put_wish(m,
			 why == WM_UNTOLD_SIZE ||
				 (why == WM_UNTOLD_WIDE && knows_no_ranks(m)),
			 out);
}

/* "The run with 8 ranks was missed by 77 %": a check refutes the model. */
static void put_missed(const struct wm_model_report *m, FILE *out)
{
	fputs("The run with ", out);
	wm_model_job_text(&m->missed->point, out);
	fprintf(out,
		" was missed by %.0f %%: do not rely on these predictions. ",
		100 * fabs(wm_model_error(m->missed, WM_VIEW_worst)));
}

char *wm_model_sentence(const struct wm_model_report *m)
{
	const struct wm_prediction *p = &m->far->said[WM_VIEW_worst];
	struct wm_buf b;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (m->missed)
		put_missed(m, out);
	fputs("With ", out);
	wm_model_job_text(&m->far->point, out);
	fprintf(out, " the worst rank, %s%s, needs ",
		p->role < WM_ROLE_OTHERS ? "" : "one of ",
		m->runs.model.role[p->role].name);
	if (m->far->job)
		fprintf(out, "%s as measured, and by the model ",
			wm_bytes(&b,
				 wm_rounded(
					 m->far->job->bytes[WM_VIEW_worst])));
	wm_model_need(p, out);
	if (!p->has_range) {
		fputs(" (from two runs, which do not tell how sure that is: ",
		      out);
		put_wish(m, knows_no_ranks(m), out);
		fputs(")", out);
	}
	if (p->untold)
		put_untold(m, p->untold, out);
	else if (!m->missed)
		put_slope(m, out);
	fputs(".", out);
	return fclose(out) ? NULL : text;
}
