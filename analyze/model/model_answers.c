/* SPDX-License-Identifier: Apache-2.0 */
/* What a model predicts of the jobs that are asked about. */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative errors of a check; less is no reason to doubt. */
#define MISSED 0.01
#define MISSED_BY_TWO 0.05 /* of a model of two runs, which has no interval */

double wm_model_error(const struct wm_model_answer *a, enum wm_view v)
{
	double measured = a->job->bytes[v];

	return measured > 0 ? a->said[v].bytes / measured - 1 : 0;
}

bool wm_model_missed(const struct wm_model_answer *a, enum wm_view v)
{
	const struct wm_prediction *p = &a->said[v];
	double measured = a->job->bytes[v];
	double error = fabs(wm_model_error(a, v));

	return p->has_range ? error > MISSED && (measured < p->low ||
						 measured > p->high) :
			      error > MISSED_BY_TWO;
}

static void find_missed(struct wm_model_report *m)
{
	size_t i;

	m->above = m->below = 1;
	for (i = 0; i < m->checks; i++) {
		const struct wm_model_answer *a = &m->check[i];
		double times = 1 + wm_model_error(a, WM_VIEW_worst);

		if (!wm_model_missed(a, WM_VIEW_worst))
			continue;
		m->above = fmax(m->above, 1 / times);
		m->below = fmax(m->below, times);
		if (!m->missed ||
		    fabs(wm_model_error(m->missed, WM_VIEW_worst)) <
			    fabs(times - 1))
			m->missed = a;
	}
}

/* Where a check was missed no other job is known; the miss is taken to grow by
 * as much with each doubling of the ranks. */
static void widen_missed(const struct wm_model_report *m,
			 struct wm_model_answer *a)
{
	double often;
	size_t v;

	if (!m->missed)
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

size_t wm_model_role_of(const struct wm_model_report *m, enum wm_view v)
{
	return wm_model_predict(&m->runs->model, v, &m->far).role;
}

double wm_model_curve_x(const struct wm_model_report *m,
			const struct wm_point *x)
{
	return m->by_size ? x->p : x->n;
}

static void fill_answer(struct wm_model_answer *a,
			const struct wm_model_runs *r, double n, double p,
			const struct wm_model_job *job)
{
	size_t v;

	a->point = (struct wm_point){ n, p > 0 ? p : wm_model_runs_size(r, n) };
	a->job = job;
	for (v = 0; v < WM_VIEWS; v++)
		a->said[v] = wm_model_predict(&r->model, v, &a->point);
}

static double size_of_job(void *context, double n)
{
	return wm_model_runs_size(context, n);
}

static void add_answer(struct wm_model_report *m, struct wm_model_runs *r,
		       double n, double p)
{
	struct wm_model_answer *a = &m->ask[m->asks++];

	fill_answer(a, r, n, p, NULL);
	widen_missed(m, a);
	if (a->point.n > m->far.n)
		m->far = a->point;
}

static void widen(const struct wm_model_report *m, double range[2],
		  const struct wm_model_answer *a, size_t count)
{
	for (; count--; a++) {
		double v = wm_model_curve_x(m, &a->point);

		range[0] = range[0] > 0 ? fmin(range[0], v) : v;
		range[1] = fmax(range[1], v);
	}
}

/* The jobs of the picture; they have whole ranks. */
static void find_steps(struct wm_model_report *m, const struct wm_model_runs *r)
{
	double range[2] = { 0, 0 }, last = 0, v;
	size_t i;

	m->by_size = true;
	for (i = 0; i < r->args.runs; i++)
		m->by_size &= m->run[i].point.n == m->run[0].point.n;
	widen(m, range, m->run, r->args.runs);
	widen(m, range, m->check, m->checks);
	widen(m, range, m->ask, m->asks);
	for (i = 0; i < WM_CURVE_STEPS; i++) {
		v = range[0] *
		    pow(range[1] / range[0], (double)i / (WM_CURVE_STEPS - 1));
		v = m->by_size ? v : round(v);
		if (v <= last)
			continue;
		last = v;
		fill_answer(&m->step[m->steps], r,
			    m->by_size ? m->run[0].point.n : v,
			    m->by_size ? v : 0, NULL);
		widen_missed(m, &m->step[m->steps++]);
	}
}

void wm_model_answers(struct wm_model_report *m, struct wm_model_runs *r)
{
	const struct wm_model_args *a = &r->args;
	size_t i, v;

	m->runs = r;
	m->near = m->far = r->model.point[wm_model_largest(&r->model)];
	for (i = 0; i < a->runs + a->checks; i++)
		fill_answer(i < a->runs ? &m->run[i] : &m->check[m->checks++],
			    r, r->job[i].point.n, r->job[i].point.p,
			    &r->job[i]);
	find_missed(m);
	for (i = 0; i < a->asks; i++)
		add_answer(m, r, a->ask[i].n, a->ask[i].p);
	for (i = 1; i <= 3 && !a->asks; i++)
		add_answer(m, r, m->near.n * (double)(1 << i), 0);
	for (v = 0; v < WM_VIEWS && a->node; v++)
		wm_model_node(&r->model, v, (double)a->node, a->per_node,
			      size_of_job, r, &m->fits[v], &m->overflows[v]);
	find_steps(m, r);
}

static int by_value(const void *pa, const void *pb)
{
	const struct wm_model_row *a = pa, *b = pb;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return strcmp(a->site->path, b->site->path);
}

struct wm_model_row *wm_model_rows(const struct wm_model *m, size_t role,
				   size_t part, const struct wm_point *x,
				   size_t *count)
{
	struct wm_model_row *row = calloc(m->sites + 1, sizeof(*row));
	size_t i, k, n = 0;

	for (i = 0; i < m->sites && row; i++) {
		struct wm_model_row *r = &row[n];

		for (k = 0; k < m->roles; k++) {
			const struct wm_model_cell *c =
				m->site[i].cell[part * WM_ROLES + k];
			double v = c ? wm_fit_value(&c->fit, x) : 0;

			if (!c ||
			    (role == SIZE_MAX ? k == WM_ROLE_MEAN :
						k != role) ||
			    (r->cell && v <= r->bytes))
				continue;
			*r = (struct wm_model_row){ &m->site[i], c, k, v };
		}
		n += r->cell != NULL;
	}
	if (row)
		qsort(row, n, sizeof(*row), by_value);
	*count = n;
	return row;
}
