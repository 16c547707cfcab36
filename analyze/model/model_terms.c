/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_fit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PARALLEL_COLUMNS 1e-9 /* 1 - cosine: the same but for rounding */

#define WM_TERM_X(name, symbol, unit) symbol,
const char *const wm_term_symbol[WM_TERMS] = { WM_TERM_LIST(WM_TERM_X) };
#undef WM_TERM_X
#define WM_TERM_X(name, symbol, unit) unit,
const char *const wm_term_unit[WM_TERMS] = { WM_TERM_LIST(WM_TERM_X) };
#undef WM_TERM_X

double wm_term_value(enum wm_term t, const struct wm_point *x)
{
	switch (t) {
	case WM_TERM_CONST:
		return 1;
	case WM_TERM_SHARE:
		return x->p / x->n;
	case WM_TERM_SHARE_23:
		return cbrt(x->p / x->n) * cbrt(x->p / x->n);
	case WM_TERM_SHARE_12:
		return sqrt(x->p / x->n);
	case WM_TERM_LOG:
		return log2(x->n);
	case WM_TERM_SQRT:
		return sqrt(x->n);
	case WM_TERM_RANKS:
		return x->n;
	case WM_TERM_RANKS_LOG:
		return x->n * log2(x->n);
	case WM_TERM_SIZE:
		return x->p;
	case WM_TERM_FACES:
		return x->faces;
	case WM_TERM_LARGEST:
		return x->largest;
	case WM_TERM_CUTS:
		return x->cuts;
	case WM_TERMS:
		break;
	}
	return 0;
}

double wm_formula_value(const struct wm_formula *f, const struct wm_point *x)
{
	double v = 0;
	size_t i;

	for (i = 0; i < f->count; i++)
		v += f->coefficient[i] * wm_term_value(f->term[i], x);
	return v;
}

static bool same_point(const struct wm_point *x, const struct wm_point *y)
{
	return x->n == y->n && x->p == y->p && x->faces == y->faces &&
	       x->cuts == y->cuts && x->largest == y->largest;
}

static void group_points(struct wm_design *d)
{
	size_t i, j;

	d->groups = 0;
	for (i = 0; i < d->count; i++) {
		for (j = 0; j < i; j++)
			if (same_point(&d->point[i], &d->point[j]))
				break;
		d->group[i] = j < i ? d->group[j] : d->groups++;
	}
}

/* Whether two columns are multiples of each other. */
static bool are_parallel(const struct wm_design *d, enum wm_term a,
			 enum wm_term b)
{
	double aa = 0, bb = 0, ab = 0, x, y;
	size_t i;

	for (i = 0; i < d->count; i++) {
		x = wm_term_value(a, &d->point[i]);
		y = wm_term_value(b, &d->point[i]);
		aa += x * x;
		bb += y * y;
		ab += x * y;
	}
	return ab > (1 - PARALLEL_COLUMNS) * sqrt(aa) * sqrt(bb);
}

void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count, unsigned allowed)
{
	/* two points can not tell N from log N: all of them stay, and what
	 * decides is the order of preference in classify() */
	unsigned t, u, apart;
	size_t i;

	memset(d, 0, sizeof(*d));
	d->point = point;
	d->weight = weight;
	d->count = count;
	group_points(d);
	apart = d->groups == 2 ? WM_TERMS_GROWING : 0;
	for (t = 0; t < WM_TERMS; t++) {
		double sum = 0;

		d->like[t] = WM_TERMS;
		for (i = 0; i < count; i++)
			sum += wm_term_value(t, &point[i]);
		if (!(allowed & WM_TERM_BIT(t)) || sum <= 0)
			continue;
		for (u = 0; u < t; u++)
			if (d->terms & ~(apart & WM_TERM_BIT(t) ? apart : 0) &
				    WM_TERM_BIT(u) &&
			    are_parallel(d, u, t))
				break;
		if (u < t)
			d->like[t] = u;
		else
			d->terms |= WM_TERM_BIT(t);
	}
}
