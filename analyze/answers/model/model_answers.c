/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts jobs, and writes the sentence about them. */
#include "analyze/answers/model/report_model.h"

#include <math.h>
#include <string.h>

#include "analyze/answers/heap/profile.h"

/* Smaller relative errors of a measured job do not make the model doubtful. */
#define MISSED 0.01
#define MISSED_BY_TWO 0.05 /* for a model of two runs, which has no interval */
#define MISSED_RUN 0.02 /* for a run that the model is made from, ... */
/* ... if it is outside of the interval by this factor */
#define TIMES_ITS_RANGE 3

static bool is_missed(const struct wm_model_answer *a)
{
	const struct wm_prediction *p = &a->worst;
	double error = fabs(a->error), measured, side;

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

struct wm_model_answer wm_model_answer(const struct wm_model_report *m,
				       const char *kind, struct wm_point x,
				       const struct wm_model_job *job)
{
	struct wm_model_answer a = { kind, x, .job = job };

	a.worst = wm_model_predict(&m->runs.model, &x);
	if (job && job->bytes > 0)
		a.error = a.worst.bytes / job->bytes - 1;
	a.missed = is_missed(&a);
	/* a model that misses a measured job knows nothing about others */
	if (m->missed && !job) {
		a.worst.untold = WM_UNTOLD_MISSED;
		a.worst.has_range = false;
	}
	return a;
}

/* Adds a prediction, unless the job was measured and has a row. */
static void add_ask(struct wm_model_report *m, struct wm_point x)
{
	struct wm_model_answer *a = m->answer;
	const struct wm_model_answer *end = a + m->runs.jobs;

	if (!(x.p > 0))
		x = wm_model_runs_job(&m->runs, x.n);
	while (a < end && (a->point.n != x.n || a->point.p != x.p))
		a++;
	if (a == end) {
		a = &m->answer[m->answers++];
		*a = wm_model_answer(m, "prediction", x, NULL);
	}
	if (!m->far || x.n > m->far->point.n)
		m->far = a;
}

static bool is_measured(const struct wm_model_report *m, double ranks)
{
	for (size_t i = 0; i < m->runs.jobs; i++)
		if (m->runs.job[i].point.n == ranks)
			return true;
	return false;
}

/* Finds a cheap run that would show more: it has half of the problem if the
 * size is the unknown quantity, else another number of ranks, and is smaller
 * than the job in question. */
static void find_next(struct wm_model_report *m)
{
	double n = m->near.n, far = m->far->point.n;
	struct wm_point *next = &m->next;

	if ((m->far->worst.untold == WM_UNTOLD_OTHER) !=
	    m->runs.model.design.one_n) {
		*next = (struct wm_point){ n, fmin(m->near.p, m->far->point.p) /
						      2 };
		return;
	}
	next->n = floor(n < far ? fmin(2 * n, (n + far) / 2) : far / 2);
	while (next->n > 0 && is_measured(m, next->n))
		next->n *= 2;
	*next = wm_model_runs_job(&m->runs, next->n < far ? next->n : 0);
}

void wm_model_answers(struct wm_model_report *m)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model_answer *a = m->answer, *bad = NULL;

	m->quantity = r->with.census ? "heap and static memory" : "heap memory";
	m->near = r->model.point[r->model.largest];
	for (; m->answers < r->jobs; m->answers++)
		m->answer[m->answers] =
			wm_model_answer(m,
					m->answers < r->runs ? "run" : "check",
					r->job[m->answers].point,
					&r->job[m->answers]);
	for (; a < m->answer + m->answers; a++)
		if (a->missed && (!bad || fabs(a->error) > fabs(bad->error)))
			bad = a;
	m->missed = bad;
	for (size_t i = 0; i < r->asks; i++)
		add_ask(m, r->ask[i]);
	for (size_t i = 1; i <= 3 && !r->asks; i++)
		add_ask(m,
			(struct wm_point){ m->near.n * (double)(1 << i), 0 });
	find_next(m);
}

static const char *number(struct wm_figure *b, double v)
{
	if (v >= 1 && v < 1e15 && v == (double)wm_whole(v))
		return wm_count(b, wm_whole(v));
	snprintf(b->s, sizeof(b->s), "%.15g", v);
	return b->s;
}

const char *wm_model_job_text(const struct wm_point *x, char *text)
{
	struct wm_figure b, c;

	snprintf(text, WM_MODEL_TEXT, "%s rank%s and a problem of %s",
		 number(&b, x->n), x->n == 1 ? "" : "s", number(&c, x->p));
	return text;
}

/* Figures are limited to 64 bits. */
static const char *bytes_of(double v, char text[32])
{
	struct wm_figure b;

	snprintf(text, 32, "%s%s", v < 0x1p64 ? "" : "more than ",
		 wm_bytes(&b, wm_rounded(v)));
	return text;
}

const char *wm_model_need(const struct wm_model_report *m,
			  const struct wm_prediction *p, char *text)
{
	char of[32], low[32], high[32];

	bytes_of(p->bytes, of);
	bytes_of(p->low, low);
	bytes_of(p->high, high);
	if (p->untold)
		snprintf(text, WM_MODEL_TEXT, "between %s and %s of %s", low,
			 high, m->quantity);
	else if (!p->has_range)
		snprintf(text, WM_MODEL_TEXT, "%s of %s", of, m->quantity);
	else if (strcmp(low, high) == 0)
		snprintf(text, WM_MODEL_TEXT, "%s of %s (+-%.1f %%)", of,
			 m->quantity,
			 100 * fmax(p->high / p->bytes - 1,
				    1 - p->low / p->bytes));
	else
		snprintf(text, WM_MODEL_TEXT, "%s of %s (between %s and %s)",
			 of, m->quantity, low, high);
	return text;
}

static void put_doubt(const struct wm_model_report *m,
		      const struct wm_prediction *p, FILE *out)
{
	char text[WM_SITE_TEXT];
	struct wm_figure b;

	if (p->doubles)
		fprintf(out,
			"; blocks of %s double when they are full: half to twice of %s",
			wm_profile_site(p->doubles->path, text),
			wm_bytes(&b, wm_rounded(p->doubling)));
	/* if doubling sites widen the interval, further runs do not help */
	if (p->untold == WM_UNTOLD_WIDE && 3 * p->doubling > p->high - p->low &&
	    p->doubles)
		return;
	if (p->untold == WM_UNTOLD_OTHER)
		fprintf(out,
			"; these runs do not show how memory grows with the %s",
			m->runs.model.design.one_n ? "ranks" : "problem");
	else if (p->untold)
		fputs("; these runs leave that open", out);
	else if (!p->has_range)
		fputs("; two runs do not show how sure that is", out);
	else
		return;
	if (m->next.n > 0)
		fprintf(out, ": a run with %s would show more",
			wm_model_job_text(&m->next, text));
	else
		fputs("; no run smaller than that job would show more", out);
}

static void put_miss(const struct wm_model_report *m, FILE *out)
{
	bool check = *m->missed->kind == 'c';
	char text[WM_MODEL_TEXT];

	fprintf(out,
		"The run with %s was missed by %.0f %%%s, so the model does not "
		"hold: give %s",
		wm_model_job_text(&m->missed->point, text),
		100 * fabs(m->missed->error),
		check ? "" : ", though the model is made of it",
		check ? "that run to it, too" : "it more runs");
	if (!check && m->next.n > 0)
		fprintf(out, ", such as one with %s",
			wm_model_job_text(&m->next, text));
}

static void put_answer(const struct wm_model_report *m, FILE *out)
{
	const struct wm_model_answer *a = m->far;
	const struct wm_prediction *p = &a->worst;
	/* how far the job lies beyond the largest run */
	double ranks = a->point.n / m->near.n, size = a->point.p / m->near.p;
	double times = fmax(ranks, size);
	char text[WM_MODEL_TEXT];
	struct wm_figure b;

	fprintf(out, "With %s", wm_model_job_text(&a->point, text));
	if (times >= 1.05 && !a->job)
		fprintf(out, " (%.*f times the %s of the largest run)",
			times < 10 && times != round(times), times,
			ranks < size ? "problem" : "ranks");
	fprintf(out, " the worst rank, %s%s, needs ",
		p->role < WM_ROLE_OTHERS ? "" : "one of ",
		m->runs.model.role[p->role].name);
	if (a->job)
		fprintf(out, "%s as measured, and by the model ",
			wm_bytes(&b, wm_rounded(a->job->bytes)));
	fputs(wm_model_need(m, p, text), out);
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
