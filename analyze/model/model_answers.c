/* SPDX-License-Identifier: Apache-2.0 */
/* What a model predicts of the jobs that are asked about. */
#include "analyze/model/report_model.h"

#include <math.h>

/* Relative errors of a check; less is no reason to doubt. */
#define MISSED 0.01
#define MISSED_BY_TWO 0.05 /* of a model of two runs, which has no interval */

double wm_model_error(const struct wm_model_answer *a, enum wm_view v)
{
	double measured = a->job->bytes[v];

	return measured > 0 ? a->said[v].bytes / measured - 1 : 0;
}

bool wm_model_missed(const struct wm_model_answer *a)
{
	const struct wm_prediction *p = &a->said[WM_VIEW_worst];
	double measured = a->job->bytes[WM_VIEW_worst];
	double error = fabs(wm_model_error(a, WM_VIEW_worst));

	return p->has_range ? error > MISSED && (measured < p->low ||
						 measured > p->high) :
			      error > MISSED_BY_TWO;
}

static void note_missed(struct wm_model_report *m,
			const struct wm_model_answer *a)
{
	double times = 1 + wm_model_error(a, WM_VIEW_worst);

	if (!wm_model_missed(a))
		return;
	m->above = fmax(m->above, 1 / times);
	m->below = fmax(m->below, times);
	if (!m->missed ||
	    fabs(wm_model_error(m->missed, WM_VIEW_worst)) < fabs(times - 1))
		m->missed = a;
}

/* Where a check was missed no other job is known; the miss is taken to grow by
 * as much with each doubling of the ranks. */
static void widen_missed(const struct wm_model_report *m,
			 struct wm_model_answer *a)
{
	double often;
	size_t v;

	if (!m->missed || a->job)
		return;
	often = 1 + fmax(log2(a->point.n / m->missed->point.n), 0);
	for (v = 0; v < WM_VIEWS; v++) {
		struct wm_prediction *p = &a->said[v];

		if (!p->has_range)
			p->low = p->high = p->bytes;
		p->low /= pow(m->below, often);
		p->high *= pow(m->above, often);
		p->has_range = true;
		p->untold = WM_UNTOLD_MISSED;
	}
}

/* @p 0: as in the runs. */
static void fill_answer(const struct wm_model_report *m,
			struct wm_model_answer *a, const char *kind, double n,
			double p, const struct wm_model_job *job)
{
	size_t v;

	a->kind = kind;
	a->point = (struct wm_point){ n,
				      p > 0 ? p :
					      wm_model_runs_size(&m->runs, n) };
	a->job = job;
	for (v = 0; v < WM_VIEWS; v++)
		a->said[v] = wm_model_predict(&m->runs.model, v, &a->point);
	widen_missed(m, a);
}

/* A job that was measured has its row, and is no prediction, too. */
static void add_ask(struct wm_model_report *m, double n, double p)
{
	struct wm_model_answer *a = m->answer;
	const struct wm_model_answer *end = a + m->runs.jobs;

	p = p > 0 ? p : wm_model_runs_size(&m->runs, n);
	while (a < end && (a->point.n != n || a->point.p != p))
		a++;
	if (a == end) {
		a = &m->answer[m->answers++];
		fill_answer(m, a, "prediction", n, p, NULL);
	}
	if (!m->far || n > m->far->point.n)
		m->far = a;
}

/* The jobs of the picture; they have whole ranks. */
static void find_steps(struct wm_model_report *m)
{
	double low = INFINITY, high = 0, last = 0, v;
	size_t i;

	m->by_size = true;
	for (i = 0; i < m->runs.args.runs; i++)
		m->by_size &= m->answer[i].point.n == m->answer[0].point.n;
	for (i = 0; i < m->answers; i++) {
		v = m->by_size ? m->answer[i].point.p : m->answer[i].point.n;
		low = fmin(low, v);
		high = fmax(high, v);
	}
	for (i = 0; i < WM_CURVE_STEPS; i++) {
		v = low * pow(high / low, (double)i / (WM_CURVE_STEPS - 1));
		v = m->by_size ? v : round(v);
		if (v <= last)
			continue;
		last = v;
		fill_answer(m, &m->step[m->steps++], "job",
			    m->by_size ? m->answer[0].point.n : v,
			    m->by_size ? v : 0, NULL);
	}
}

void wm_model_answers(struct wm_model_report *m)
{
	const struct wm_model_runs *r = &m->runs;
	const struct wm_model_args *a = &r->args;
	size_t i;

	m->above = m->below = 1;
	m->near = r->model.point[wm_model_largest(&r->model)];
	for (i = 0; i < r->jobs; i++)
		fill_answer(m, &m->answer[m->answers++],
			    i < a->runs ? "run" : "check", r->job[i].point.n,
			    r->job[i].point.p, &r->job[i]);
	for (i = a->runs; i < r->jobs; i++)
		note_missed(m, &m->answer[i]);
	for (i = 0; i < a->asks; i++)
		add_ask(m, a->ask[i].n, a->ask[i].p);
	for (i = 1; i <= 3 && !a->asks; i++)
		add_ask(m, m->near.n * (double)(1 << i), 0);
	m->role = m->far->said[WM_VIEW_worst].role;
	m->part = m->far->said[WM_VIEW_worst].part;
	find_steps(m);
}
