/* SPDX-License-Identifier: Apache-2.0 */
/* The predictions for the jobs that are asked about, and the sentence. */
#include "analyze/model/report_model.h"

#include <math.h>
#include <string.h>

#include "analyze/queries/profile.h"

/* Relative errors of a job that was measured; less is no reason to doubt. */
#define MISSED 0.01
#define MISSED_BY_TWO 0.05 /* of a model of two runs, which has no interval */
#define MISSED_RUN 0.02 /* of a run that the model is made of, ... */
#define TIMES_ITS_RANGE 3 /* ... and so far outside: no chance, no law either */

double wm_model_error(const struct wm_model_answer *a)
{
	double measured = a->job ? a->job->bytes : 0;

	return measured > 0 ? a->worst.bytes / measured - 1 : 0;
}

bool wm_model_missed(const struct wm_model_answer *a)
{
	const struct wm_prediction *p = &a->worst;
	double error = fabs(wm_model_error(a)), measured, side;

	if (!a->job || !p->has_range)
		return a->job && error > MISSED_BY_TWO;
	measured = a->job->bytes;
	if (*a->kind == 'c')
		return error > MISSED &&
		       (measured < p->low || measured > p->high);
	side = measured < p->bytes ? p->bytes - p->low : p->high - p->bytes;
	return error > MISSED_RUN &&
	       fabs(measured - p->bytes) > TIMES_ITS_RANGE * side;
}

void wm_model_answer(const struct wm_model_report *m, struct wm_model_answer *a,
		     const char *kind, struct wm_point x,
		     const struct wm_model_job *job)
{
	*a = (struct wm_model_answer){ kind, x, .job = job };
	a->worst = wm_model_predict(&m->runs.model, &x);
	/* where one that was measured is missed nothing is known of others */
	if (m->missed && !job) {
		a->worst.untold = WM_UNTOLD_MISSED;
		a->worst.has_range = false;
	}
}

/* A job that was measured has its row, and is no prediction, too. */
static void add_ask(struct wm_model_report *m, struct wm_point x)
{
	struct wm_model_answer *a = m->answer;
	const struct wm_model_answer *end = a + m->runs.jobs;

	if (!(x.p > 0))
		x.p = wm_model_runs_size(&m->runs, x.n);
	while (a < end && (a->point.n != x.n || a->point.p != x.p))
		a++;
	if (a == end) {
		a = &m->answer[m->answers++];
		wm_model_answer(m, a, "prediction", x, NULL);
	}
	if (!m->far || x.n > m->far->point.n)
		m->far = a;
}

static bool is_measured(const struct wm_model_report *m, double ranks)
{
	size_t i;

	for (i = 0; i < m->runs.jobs; i++)
		if (m->runs.job[i].point.n == ranks)
			return true;
	return false;
}

/* The run that would tell more: half of the problem, where that is the question,
 * or other ranks, as are cheapest; smaller than the job that is asked about. */
static void find_next(struct wm_model_report *m)
{
	bool one_n = m->runs.model.design.one_n;
	enum wm_untold why = m->far->worst.untold;
	double n = m->near.n, far = m->far->point.n;
	double try[] = { 2 * n, 4 * n, floor((n + far) / 2), floor(far / 2) };
	size_t i;

	if ((why == WM_UNTOLD_OTHER) != one_n) {
		m->next = m->near;
		m->next.p = fmin(m->near.p, m->far->point.p) / 2;
		return;
	}
	for (i = 0; i < 4 && !(m->next.n > 0); i++)
		if (try[i] >= 1 && try[i] < far && !is_measured(m, try[i]))
			m->next.n = try[i];
	m->next.p = wm_model_runs_size(&m->runs, m->next.n);
}

void wm_model_answers(struct wm_model_report *m)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model_answer *a = m->answer, *bad = NULL;
	size_t i;

	m->near = r->model.point[r->model.largest];
	for (; m->answers < r->jobs; m->answers++)
		wm_model_answer(m, &m->answer[m->answers],
				m->answers < r->runs ? "run" : "check",
				r->job[m->answers].point, &r->job[m->answers]);
	for (; a < m->answer + m->answers; a++)
		if (wm_model_missed(a) &&
		    (!bad ||
		     fabs(wm_model_error(a)) > fabs(wm_model_error(bad))))
			bad = a;
	m->missed = bad;
	for (i = 0; i < r->asks; i++)
		add_ask(m, r->ask[i]);
	for (i = 1; i <= 3 && !r->asks; i++)
		add_ask(m,
			(struct wm_point){ m->near.n * (double)(1 << i), 0 });
	find_next(m);
}

/* ---- the sentence ---- */

const char *wm_model_quantity(const struct wm_model_report *m)
{
	return m->runs.with.census ? "heap and static memory" : "heap memory";
}

/* "4,000,000", "0.125" */
static const char *number(struct wm_buf *b, double v)
{
	if (v >= 1 && v < 1e15 && v == (double)wm_whole(v))
		return wm_count(b, wm_whole(v));
	snprintf(b->s, sizeof(b->s), "%.15g", v);
	return b->s;
}

void wm_model_job_text(const struct wm_point *x, FILE *out)
{
	struct wm_buf b, c;

	fprintf(out, "%s rank%s and a problem of %s", number(&b, x->n),
		x->n == 1 ? "" : "s", number(&c, x->p));
}

void wm_model_need(const struct wm_model_report *m,
		   const struct wm_prediction *p, FILE *out)
{
	const char *what = wm_model_quantity(m);
	struct wm_buf b, low, high;

	wm_bytes(&low, wm_rounded(p->low));
	wm_bytes(&high, wm_rounded(p->high));
	if (p->untold) {
		fprintf(out, "between %s and %s of %s", low.s, high.s, what);
		return;
	}
	fprintf(out, "%s of %s", wm_bytes(&b, wm_rounded(p->bytes)), what);
	if (p->has_range && strcmp(low.s, high.s) == 0)
		fprintf(out, " (+-%.1f %%)",
			100 * fmax(p->high / p->bytes - 1,
				   1 - p->low / p->bytes));
	else if (p->has_range)
		fprintf(out, " (between %s and %s)", low.s, high.s);
}

/* How far beyond the largest run the job is. */
static void put_distance(const struct wm_model_report *m, FILE *out)
{
	const struct wm_point *x = &m->far->point;
	double ranks = x->n / m->near.n, size = x->p / m->near.p;
	double times = round(10 * fmax(ranks, size)) / 10;
	struct wm_buf b;

	if (times > 1 && !m->far->job)
		fprintf(out, " (%s times the %s of the largest run)",
			number(&b, times > 10 ? round(times) : times),
			ranks < size ? "problem" : "ranks");
}

/* The change that one rank more makes, the problem going on as in the runs. */
static void put_slope(const struct wm_model_report *m, FILE *out)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_point *far = &m->far->point;
	struct wm_point next = { far->n + 1, far->p };
	struct wm_buf b;
	double each;

	if (far->p == wm_model_runs_size(r, far->n))
		next.p = wm_model_runs_size(r, next.n);
	each = wm_model_predict(&r->model, &next).bytes - m->far->worst.bytes;
	fprintf(out, "; the next rank %s %s",
		each > -0.5 ? "adds" : "takes off",
		wm_bytes(&b, wm_rounded(fabs(each))));
}

/* Blocks that double: more runs would not tell where they make the interval. */
static bool put_doubling(const struct wm_prediction *p, FILE *out)
{
	char site[WM_SITE_TEXT];
	struct wm_buf b;

	if (!p->doubles)
		return false;
	fprintf(out,
		"; blocks of %s double when they are full: half to twice of %s",
		wm_profile_site(p->doubles->path, site),
		wm_bytes(&b, wm_rounded(p->doubling)));
	return p->untold == WM_UNTOLD_WIDE &&
	       3 * p->doubling > p->high - p->low;
}

static void put_doubt(const struct wm_model_report *m,
		      const struct wm_prediction *p, FILE *out)
{
	if (put_doubling(p, out) || (!p->untold && p->has_range))
		return;
	fprintf(out, "; %s runs do not tell%s%s", p->untold ? "these" : "two",
		p->untold == WM_TOLD	     ? " how sure that is" :
		p->untold == WM_UNTOLD_OTHER ? " how memory grows with the " :
					       "",
		p->untold != WM_UNTOLD_OTHER ? "" :
		m->runs.model.design.one_n   ? "ranks" :
					       "problem");
	if (!(m->next.n > 0)) {
		fputs(", nor would a run smaller than that job", out);
		return;
	}
	fputs(": a run with ", out);
	wm_model_job_text(&m->next, out);
	fputs(" would tell more", out);
}
static void put_miss(const struct wm_model_report *m, FILE *out)
{
	bool check = *m->missed->kind == 'c';

	fputs("The run with ", out);
	wm_model_job_text(&m->missed->point, out);
	fprintf(out, " was missed by %.0f %%%s, so the model does not hold: %s",
		100 * fabs(wm_model_error(m->missed)),
		check ? "" : ", though the model is made of it",
		check ? "give that run to it, too" : "give it more runs");
	if (!check && m->next.n > 0) {
		fputs(", such as one with ", out);
		wm_model_job_text(&m->next, out);
	}
}

static void put_answer(const struct wm_model_report *m, FILE *out)
{
	const struct wm_model_answer *a = m->far;
	const struct wm_prediction *p = &a->worst;
	struct wm_buf b;

	fputs("With ", out);
	wm_model_job_text(&a->point, out);
	put_distance(m, out);
	fprintf(out, " the worst rank, %s%s, needs ",
		p->role < WM_ROLE_OTHERS ? "" : "one of ",
		m->runs.model.role[p->role].name);
	if (a->job)
		fprintf(out, "%s as measured, and by the model ",
			wm_bytes(&b, wm_rounded(a->job->bytes)));
	wm_model_need(m, p, out);
	if (!p->untold && !m->runs.model.design.one_n)
		put_slope(m, out);
	put_doubt(m, p, out);
	fputs(". A job script has to ask for more: see the summary of a run",
	      out);
}

char *wm_model_sentence(const struct wm_model_report *m)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (m->missed)
		put_miss(m, out);
	else
		put_answer(m, out);
	fputs(".", out);
	return fclose(out) ? NULL : text;
}
