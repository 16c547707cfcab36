/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sums of terms do not describe: sites that only jobs of one rank have,
 * or only those of more, and sites that come and go.
 */
#include "analyze/model/model_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ALONE_ERROR 0.02 /* beyond: see whether one rank is a case apart */
#define LEVEL_ERROR 0.02 /* two runs that differ less: rather constant */
#define ON_OFF_ERROR 0.1 /* beyond: what comes and goes has no formula */

bool wm_fit_holds(enum wm_when when, double n)
{
	return when == WM_WHEN_ALWAYS || (n > 1) == (when == WM_WHEN_MANY);
}

/*
 * The points at which there is something, if these are the jobs of one rank,
 * or if these are the others.  Returns how many, 0: it is neither.
 */
static size_t take_side(struct wm_point *point, double *weight, double *part,
			size_t *at, const struct wm_design *d, const double *y,
			enum wm_when when)
{
	size_t i, m = 0;

	for (i = 0; i < d->count; i++) {
		if (wm_fit_holds(when, d->point[i].n) != (y[i] > 0))
			return 0;
		if (!(y[i] > 0))
			continue;
		point[m] = d->point[i];
		weight[m] = d->weight[i];
		part[m] = y[i];
		at[m++] = i;
	}
	return m < d->count ? m : 0;
}

/* A constant if that is good enough, where two points tell no more. */
static enum wm_status prefer_level(struct wm_fit *f, const struct wm_design *d,
				   const double *y, struct wm_err *err)
{
	struct wm_design flat = *d;
	struct wm_fit level;
	enum wm_status s;

	if (d->groups > 2 || !(d->terms & WM_TERM_BIT(WM_TERM_CONST)))
		return WM_OK;
	flat.terms = WM_TERM_BIT(WM_TERM_CONST);
	s = wm_fit_plain(&level, &flat, y, err);
	if (s || level.error > LEVEL_ERROR)
		return s;
	level.also[0] = f->best;
	level.also_count = f->best.count ? 1 : 0;
	*f = level;
	return WM_OK;
}

/* Fit one side alone; *@done when that is the better way to see it. */
static enum wm_status fit_side(struct wm_fit *f, const struct wm_design *d,
			       const double *y, enum wm_when when, bool *done,
			       struct wm_err *err)
{
	struct wm_point point[WM_MODEL_RUNS];
	double weight[WM_MODEL_RUNS], part[WM_MODEL_RUNS];
	size_t at[WM_MODEL_RUNS], m, i;
	struct wm_design rest;
	struct wm_fit side;
	enum wm_status s;

	m = take_side(point, weight, part, at, d, y, when);
	if (!m || (when == WM_WHEN_MANY && m < 2))
		return WM_OK;
	wm_design_make(&rest, point, weight, m, d->terms);
	s = wm_fit_plain(&side, &rest, part, err);
	if (!s)
		s = prefer_level(&side, &rest, part, err);
	if (s || (f->best.count && side.error > f->error))
		return s;
	*f = side;
	f->when = when;
	memset(f->left_out, 0, sizeof(f->left_out));
	for (i = 0; i < m; i++)
		f->left_out[at[i]] = side.left_out[i];
	*done = true;
	return WM_OK;
}

static double highest_value(const struct wm_design *d, const double *y,
			    size_t without)
{
	double most = 0;
	size_t i;

	for (i = 0; i < d->count; i++)
		if (d->group[i] != without && y[i] > most)
			most = y[i];
	return most;
}

/* It is there in some jobs of several ranks and not in others. */
static bool comes_and_goes(const struct wm_design *d, const double *y)
{
	bool there = false, gone = false;
	size_t i;

	for (i = 0; i < d->count; i++) {
		there |= y[i] > 0;
		gone |= d->point[i].n > 1 && !(y[i] > 0);
	}
	return there && gone;
}

/* As much as was ever seen, in any job; the formula widens the range. */
static void make_level(struct wm_fit *f, const struct wm_design *d,
		       const double *y)
{
	double most = highest_value(d, y, SIZE_MAX), sum = 0, size = 0, w;
	size_t i;

	f->also[0] = f->best;
	f->also_count = f->best.count ? 1 : 0;
	f->best.count = 1;
	f->best.term[0] = WM_TERM_CONST;
	f->best.coefficient[0] = most;
	for (i = 0; i < d->count; i++) {
		w = d->weight[i];
		if (f->crossed)
			f->left_out[i] = highest_value(d, y, d->group[i]) -
					 y[i];
		sum += w * f->left_out[i] * w * f->left_out[i];
		size += w * y[i] * w * y[i];
	}
	if (f->crossed && size > 0)
		f->error = sqrt(sum / size);
}

enum wm_status wm_fit_make(struct wm_fit *f, const struct wm_design *d,
			   const double *y, struct wm_err *err)
{
	enum wm_status s = wm_fit_plain(f, d, y, err);
	bool done = false;

	/* what only one rank alone does: another call path, another peak */
	if (!s)
		s = fit_side(f, d, y, WM_WHEN_ONE, &done, err);
	if (s || done || (f->best.count && f->error <= ALONE_ERROR))
		return s;
	/* messages and halos: one rank alone has no partner */
	s = fit_side(f, d, y, WM_WHEN_MANY, &done, err);
	if (!s && !done && f->error > ON_OFF_ERROR && comes_and_goes(d, y))
		make_level(f, d, y);
	return s;
}

double wm_fit_value(const struct wm_fit *f, const struct wm_point *x)
{
	return wm_fit_holds(f->when, x->n) ? wm_formula_value(&f->best, x) : 0;
}

void wm_fit_range(const struct wm_fit *f, const struct wm_point *x, double *low,
		  double *high)
{
	size_t i;

	*low = *high = wm_fit_value(f, x);
	for (i = 0; i < f->also_count && wm_fit_holds(f->when, x->n); i++) {
		double v = wm_formula_value(&f->also[i], x);

		*low = v < *low ? v : *low;
		*high = v > *high ? v : *high;
	}
}
