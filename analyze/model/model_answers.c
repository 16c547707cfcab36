/* SPDX-License-Identifier: Apache-2.0 */
/* What models say of the jobs that are asked about. */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

double wm_model_error(const struct wm_model_answer *a, enum wm_view v)
{
	double measured = a->job->bytes[v];

	return measured > 0 ? a->said[v].bytes / measured - 1 : 0;
}

/* No rank needs more than the worst one: formulas of two sums may cross. */
static void keep_below(struct wm_prediction *p, const struct wm_prediction *top)
{
	p->bytes = fmin(p->bytes, top->bytes);
	p->low = fmin(p->low, p->bytes);
	p->high = fmin(p->high, top->high);
}

static void fill_answer(struct wm_model_answer *a,
			const struct wm_model_runs *r, const struct wm_point *x,
			const struct wm_model_job *job)
{
	size_t v;

	a->point = *x;
	a->job = job;
	for (v = 0; v < WM_VIEWS; v++)
		a->said[v] = wm_model_predict(&r->model[v], x);
	for (v = 0; v < WM_VIEWS; v++)
		keep_below(&a->said[v], &a->said[WM_VIEW_worst]);
}

void wm_model_answer_at(struct wm_model_answer *a,
			const struct wm_model_runs *r, double n, double p)
{
	struct wm_point x;

	wm_model_args_point(&r->args, SIZE_MAX, n, p, true, &x);
	fill_answer(a, r, &x, NULL);
}

static void any_job(void *context, double n, struct wm_point *x)
{
	const struct wm_model_runs *r = context;

	wm_model_args_point(&r->args, SIZE_MAX, n, wm_model_runs_size(r, n),
			    true, x);
}

static void add_answer(struct wm_model_report *m, const struct wm_model_runs *r,
		       double n, double p)
{
	struct wm_point x;

	if (!(p > 0))
		p = wm_model_runs_size(r, n);
	wm_model_args_point(&r->args, SIZE_MAX, n, p, false, &x);
	fill_answer(&m->ask[m->asks++], r, &x, NULL);
	if (x.n > m->far.n)
		m->far = x;
}

void wm_model_answers(struct wm_model_report *m, struct wm_model_runs *r)
{
	const struct wm_model_args *a = &r->args;
	size_t i, v;

	memset(m, 0, sizeof(*m));
	m->runs = r;
	m->far = r->model[0].point[wm_model_largest(&r->model[0])];
	m->near = m->far;
	for (i = 0; i < a->runs; i++)
		fill_answer(&m->run[i], r, &r->model[0].point[i], &r->job[i]);
	for (i = 0; i < a->checks; i++)
		fill_answer(&m->check[m->checks++], r,
			    &r->job[a->runs + i].point, &r->job[a->runs + i]);
	for (i = 0; i < a->asks; i++)
		add_answer(m, r, a->ask[i].n, a->ask[i].p);
	/* who asks for nothing sees the next doublings */
	if (!a->asks) {
		double n = m->far.n;

		for (i = 1; i <= 3; i++)
			add_answer(m, r, n * (double)(1 << i), 0);
	}
	for (v = 0; v < WM_VIEWS && a->node; v++)
		wm_model_node(&r->model[v], (double)a->node, a->per_node,
			      any_job, r, &m->fits[v], &m->overflows[v]);
}

static int by_value(const void *pa, const void *pb, void *point)
{
	const struct wm_model_site *a = *(
		const struct wm_model_site *const *)pa;
	const struct wm_model_site *b = *(
		const struct wm_model_site *const *)pb;
	double u = wm_fit_value(&a->fit, point);
	double v = wm_fit_value(&b->fit, point);

	if (u != v)
		return u < v ? 1 : -1;
	return strcmp(a->path, b->path);
}

const struct wm_model_site **wm_model_order(const struct wm_model_part *p,
					    const struct wm_point *x)
{
	const struct wm_model_site **list;
	struct wm_point point = *x;
	size_t i;

	list = calloc(p->count + 1, sizeof(*list));
	if (!list)
		return NULL;
	for (i = 0; i < p->count; i++)
		list[i] = &p->site[i];
	qsort_r(list, p->count, sizeof(struct wm_model_site *), by_value,
		&point);
	return list;
}
