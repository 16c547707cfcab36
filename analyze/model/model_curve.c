/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_curve.h"

#include <math.h>

/* An interval may be a thousand times what is predicted: it is cut off there. */
#define MOST_BAND 2.0

double wm_model_curve_x(const struct wm_model_curve *c,
			const struct wm_point *x)
{
	return c->by_size ? x->p : x->n;
}

/* Make room for a job. */
static void take_in(struct wm_model_curve *c, const struct wm_model_answer *a)
{
	const struct wm_prediction *w = &a->said[WM_VIEW_worst];
	double v = wm_model_curve_x(c, &a->point);

	c->low = c->low > 0 ? fmin(c->low, v) : v;
	c->high = fmax(c->high, v);
	c->top = fmax(c->top, w->bytes);
	if (a->job)
		c->top = fmax(c->top, a->job->bytes[WM_VIEW_worst]);
}

static void find_axes(struct wm_model_curve *c, const struct wm_model_report *m)
{
	const struct wm_model_runs *r = m->runs;
	double most, v;
	size_t i;

	c->by_size = true;
	for (i = 0; i < r->args.runs; i++)
		c->by_size &= m->run[i].point.n == m->run[0].point.n;
	c->measured_low = c->measured_high = wm_model_curve_x(c,
							      &m->run[0].point);
	for (i = 0; i < r->args.runs; i++) {
		v = wm_model_curve_x(c, &m->run[i].point);
		c->measured_low = fmin(c->measured_low, v);
		c->measured_high = fmax(c->measured_high, v);
		take_in(c, &m->run[i]);
	}
	for (i = 0; i < m->checks; i++)
		take_in(c, &m->check[i]);
	for (i = 0; i < m->asks; i++)
		take_in(c, &m->ask[i]);
	most = c->top * MOST_BAND;
	for (i = 0; i < m->asks; i++)
		if (m->ask[i].said[WM_VIEW_worst].has_range)
			c->top = fmax(c->top,
				      m->ask[i].said[WM_VIEW_worst].high);
	c->top = fmin(c->top, most) * 1.05;
	if (r->args.node)
		c->top = fmin(fmax(c->top, 1.1 * (double)r->args.node /
						   r->args.per_node),
			      fmax(c->top, 8 * most));
}

/* The line, from left to right; jobs have whole ranks. */
static void find_line(struct wm_model_curve *c, const struct wm_model_report *m)
{
	const struct wm_model_runs *r = m->runs;
	double last = 0, v;
	size_t i;

	for (i = 0; i < WM_CURVE_STEPS; i++) {
		v = c->low *
		    pow(c->high / c->low, (double)i / (WM_CURVE_STEPS - 1));
		if (!c->by_size)
			v = round(v);
		if (v <= last)
			continue;
		last = v;
		wm_model_answer_at(&c->at[c->count++], r,
				   c->by_size ? m->run[0].point.n : v,
				   c->by_size ? v : wm_model_runs_size(r, v));
	}
}

void wm_model_curve_find(struct wm_model_curve *c,
			 const struct wm_model_report *m)
{
	*c = (struct wm_model_curve){ .count = 0 };
	find_axes(c, m);
	find_line(c, m);
}
