/* SPDX-License-Identifier: Apache-2.0 */
/* The predictions for the jobs that are asked about, and the sentence. */
#include "analyze/model/report_model.h"

#include <math.h>
#include <string.h>

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

void wm_model_answers(struct wm_model_report *m)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model_args *args = &r->args;
	const struct wm_model_answer *a = m->answer, *bad = NULL;
	size_t i;

	m->near = r->model.point[wm_model_largest(&r->model)];
	for (; m->answers < r->jobs; m->answers++)
		wm_model_answer(m, &m->answer[m->answers],
				m->answers < args->runs ? "run" : "check",
				r->job[m->answers].point, &r->job[m->answers]);
	for (; a < m->answer + m->answers; a++)
		if (wm_model_missed(a) &&
		    (!bad ||
		     fabs(wm_model_error(a)) > fabs(wm_model_error(bad))))
			bad = a;
	m->missed = bad;
	for (i = 0; i < args->asks; i++)
		add_ask(m, args->ask[i]);
	for (i = 1; i <= 3 && !args->asks; i++)
		add_ask(m,
			(struct wm_point){ m->near.n * (double)(1 << i), 0 });
}

/* ---- the sentence ---- */

const char *wm_model_quantity(const struct wm_model_report *m)
{
	return m->runs.has_static ? "heap and static memory" : "heap memory";
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
	struct wm_buf b, low, high;

	wm_bytes(&low, wm_rounded(p->low));
	wm_bytes(&high, wm_rounded(p->high));
	if (p->untold)
		fprintf(out, "between %s and %s of ", low.s, high.s);
	else
		fprintf(out, "%s of ", wm_bytes(&b, wm_rounded(p->bytes)));
	fputs(wm_model_quantity(m), out);
	if (!p->untold && p->has_range && strcmp(low.s, high.s) == 0)
		fputs(" (within the digits shown)", out);
	else if (!p->untold && p->has_range)
		fprintf(out, " (between %s and %s)", low.s, high.s);
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
	if (fabs(each) < 0.5)
		fputs("; further ranks change nothing", out);
	else
		fprintf(out, "; each further rank %s %s",
			each > 0 ? "adds" : "takes off",
			wm_bytes(&b, wm_rounded(fabs(each))));
}

/* The run that would tell: of twice the ranks, or half of the problem. */
static void put_next_run(const struct wm_model_report *m, bool half, FILE *out)
{
	struct wm_point x = m->near;

	if (half)
		x.p /= 2;
	else
		x.p = wm_model_runs_size(&m->runs, x.n *= 2);
	wm_model_job_text(&x, out);
}

static void put_doubt(const struct wm_model_report *m, enum wm_untold why,
		      bool one_n, FILE *out)
{
	static const char *const words[] = {
		[WM_TOLD] = "two runs do not tell how sure that is",
		[WM_UNTOLD_SIZE] = "these runs do not tell how memory grows "
				   "with the problem",
		[WM_UNTOLD_RANKS] = "these runs do not tell how memory grows "
				    "with the ranks",
		[WM_UNTOLD_WIDE] = "these runs do not tell",
	};

	fprintf(out, "; %s: a run with ", words[why]);
	put_next_run(m,
		     why == WM_UNTOLD_SIZE || (why != WM_UNTOLD_RANKS && one_n),
		     out);
	fputs(" would", out);
}

static void put_miss(const struct wm_model_report *m, bool one_n, FILE *out)
{
	bool check = *m->missed->kind == 'c';

	fputs("The run with ", out);
	wm_model_job_text(&m->missed->point, out);
	fprintf(out, " was missed by %.0f %%%s, so the model does not hold: ",
		100 * fabs(wm_model_error(m->missed)),
		check ? "" : ", though the model is made of it");
	if (check) {
		fputs("give that run to it, too.", out);
		return;
	}
	fputs("give it more runs, such as one with ", out);
	put_next_run(m, one_n, out);
	fputs(".", out);
}

char *wm_model_sentence(const struct wm_model_report *m)
{
	const struct wm_model_answer *a = m->far;
	const struct wm_prediction *p = &a->worst;
	bool one_n = m->runs.model.design.like[WM_TERM_RANKS] == WM_TERM_CONST;
	struct wm_buf b;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (m->missed) {
		put_miss(m, one_n, out);
		return fclose(out) ? NULL : text;
	}
	fputs("With ", out);
	wm_model_job_text(&a->point, out);
	fprintf(out, " the worst rank, %s%s, needs ",
		p->role < WM_ROLE_OTHERS ? "" : "one of ",
		m->runs.model.role[p->role].name);
	if (a->job)
		fprintf(out, "%s as measured, and by the model ",
			wm_bytes(&b, wm_rounded(a->job->bytes)));
	wm_model_need(m, p, out);
	if (!p->untold && !one_n)
		put_slope(m, out);
	if (p->untold || !p->has_range)
		put_doubt(m, p->untold, one_n, out);
	fputs(".", out);
	return fclose(out) ? NULL : text;
}
