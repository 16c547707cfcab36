/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/model/model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define MASKS (1u << WM_TERMS)
#define DEPENDENT 1e-11 /* squared: the rest that other terms do not explain */
#define SAME 1e-2 /* relative: values that differ less are equal */
#define EXACT 1e-5 /* relative error that is no reason for another term */
/* times the lowest error: a formula with fewer terms is as good */
#define AS_GOOD 1.33
#define FAR_BETTER 4 /* N^2 must be better than other terms by this factor */
#define EDGES 1e-2 /* the most error by edges and rounding of a share */
#define DOUBT 0.1 /* with such an error, growth may be chance */
#define NOT_WORSE 2 /* times the lowest error: a formula may be right, too */
/* terms that are tried for at most two points */
#define FIRST                                                                  \
	(WM_TERM_BIT(WM_TERM_CONST) | WM_TERM_BIT(WM_TERM_SHARE) |             \
	 WM_TERM_BIT(WM_TERM_RANKS))
#define SHARES                                                                 \
	(WM_TERM_BIT(WM_TERM_SHARE) | WM_TERM_BIT(WM_TERM_SHARE_23) |          \
	 WM_TERM_BIT(WM_TERM_SHARE_12))
/* terms that grow with the ranks or with the problem, for each rank */
#define GROWING (WM_TERMS_GROWING | WM_TERM_BIT(WM_TERM_SIZE))
/* with a larger error, jobs of one rank may be a special case */
#define ALONE_ERROR 0.02

const char *const wm_term_symbol[WM_TERMS] = {
	"1",   "P/N", "(P/N)^(2/3)", "(P/N)^(1/2)", "log2(N)", "sqrt(N)", "N",
	"N^2", "P"
};

void wm_term_values(double v[WM_TERMS], const struct wm_point *x)
{
	double share = x->p / x->n;
	const double value[WM_TERMS] = {
		1,	     share,	  cbrt(share) * cbrt(share),
		sqrt(share), log2(x->n),  sqrt(x->n),
		x->n,	     x->n * x->n, x->p
	};

	memcpy(v, value, sizeof(value));
}

static double formula_value(const struct wm_formula *f,
			    const double v[WM_TERMS])
{
	double sum = 0;

	for (size_t i = 0; i < f->count; i++)
		sum += f->coefficient[i] * v[f->term[i]];
	return sum;
}

static bool is_same(double a, double b)
{
	return fabs(a - b) <= SAME * b;
}

void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count)
{
	const struct wm_point *first = NULL;

	*d = (struct wm_design){ point, .count = count };
	d->one_n = d->one_p = d->one_share = true;
	for (size_t i = 0; i < count; i++) {
		wm_term_values(d->value[i], &point[i]);
		d->weight[i] = weight ? weight[i] : 1;
		if (!(d->weight[i] > 0))
			continue;
		if (!first)
			first = &point[i];
		d->used++;
		d->one_n &= is_same(point[i].n, first->n);
		d->one_p &= is_same(point[i].p, first->p);
		d->one_share &= is_same(point[i].p / point[i].n,
					first->p / first->n);
	}
	/* two points cannot distinguish N from log N */
	d->terms = d->used > 2 ? MASKS - 1 : FIRST;
	/* of terms that are multiples of each other, only the first is tried */
	if (d->one_n)
		d->terms &= ~GROWING;
	if (d->one_p)
		d->terms &= ~WM_TERM_BIT(WM_TERM_SIZE);
	if (d->one_share)
		d->terms &= ~(SHARES | WM_TERM_BIT(WM_TERM_SIZE));
}

/* The best fit with exactly these terms. */
struct trial {
	struct wm_formula f;
	double error; /* relative; infinite: no fit */
};

static size_t count_terms(unsigned mask)
{
	return (size_t)__builtin_popcount(mask);
}

/* Fits terms by least squares to all points but @without.  Returns false if
 * terms depend on each other, or if a coefficient is not above 0. */
static bool fit_terms(struct wm_formula *f, unsigned mask,
		      const struct wm_design *d, const double *y,
		      size_t without)
{
	double a[WM_FIT_TERMS][WM_FIT_TERMS + 1] = { { 0 } };
	double v[WM_FIT_TERMS + 1], whole[WM_FIT_TERMS], *x = f->coefficient;
	size_t i, j, l, k = 0;

	for (unsigned t = 0; t < WM_TERMS; t++)
		if (mask & WM_TERM_BIT(t))
			f->term[k++] = t;
	f->count = k;
	for (i = 0; i < d->count; i++) {
		for (j = 0; j < k; j++)
			v[j] = d->value[i][f->term[j]];
		v[k] = y[i];
		for (j = 0; j < k && i != without; j++)
			for (l = 0; l <= k; l++)
				a[j][l] += v[j] * v[l] * d->weight[i] *
					   d->weight[i];
	}
	for (i = 0; i < k; i++)
		whole[i] = a[i][i];
	for (i = 0; i < k; i++) {
		if (!(a[i][i] > DEPENDENT * whole[i]))
			return false;
		for (j = i + 1; j < k; j++)
			for (l = k + 1; l-- > i;)
				a[j][l] -= a[j][i] / a[i][i] * a[i][l];
	}
	for (i = k; i-- > 0;) {
		x[i] = a[i][k];
		for (j = i + 1; j < k; j++)
			x[i] -= a[i][j] * x[j];
		x[i] /= a[i][i];
		if (!(x[i] > 0))
			return false;
	}
	return true;
}

/* Tries a combination of terms.  Its error is that of predicting each point
 * from the others or, with only two points, the residual. */
static void try_terms(struct trial *t, double left_out[WM_MODEL_RUNS],
		      unsigned mask, const struct wm_design *d, const double *y,
		      double size)
{
	bool checks = d->used > 2;
	double squares = 0, e;

	t->error = INFINITY;
	if (mask & ~d->terms || count_terms(mask) > WM_FIT_TERMS ||
	    count_terms(mask) + checks > d->used ||
	    !fit_terms(&t->f, mask, d, y, SIZE_MAX))
		return;
	for (size_t i = 0; i < d->count; i++) {
		struct wm_formula f = t->f;

		if (!(d->weight[i] > 0))
			continue;
		/* this point has no such formula: it is predicted as 0 */
		if (checks && !fit_terms(&f, mask, d, y, i))
			f.count = 0;
		e = formula_value(&f, d->value[i]) - y[i];
		left_out[i] = e;
		squares += e * d->weight[i] * e * d->weight[i];
	}
	t->error = sqrt(squares / (double)d->used) / size;
}

static double lowest_error(const struct trial *t, unsigned without)
{
	double lowest = INFINITY;

	for (unsigned mask = 1; mask < MASKS; mask++)
		if (!(mask & without))
			lowest = fmin(lowest, t[mask].error);
	return lowest;
}

/* Returns whether there are at least two points more than terms.  With only one
 * more, rounding alone can look like a law. */
static bool has_spare(unsigned mask, const struct wm_design *d)
{
	return count_terms(mask) + 2 <= d->used;
}

/*
 * Returns the choice among the combinations that are about as good as the best:
 * the one with the fewest terms, then with the lowest error, then the first.
 * Returns 0 if there is none.
 *
 * A share of the problem leaves edges and rounding, (nx + 1) * (ny + 1), to
 * which any further term fits a little better.  A term that grows with the
 * ranks would be most of a large job, so it is not chosen for a small gain,
 * unless it explains everything.
 */
static unsigned choose_terms(struct trial *t, const struct wm_design *d,
			     double noise, double *also)
{
	const unsigned pairs = WM_TERM_BIT(WM_TERM_PAIRS);
	double lowest, calm, limit, plain = lowest_error(t, pairs);
	unsigned mask, best = 0, never = 0;
	bool explained = false;

	for (mask = 1; mask < MASKS; mask++) {
		if (mask & pairs && (t[mask].error * FAR_BETTER > plain ||
				     plain <= noise || !has_spare(mask, d)))
			t[mask].error = INFINITY;
		explained |= t[mask].error <= EXACT && has_spare(mask, d);
	}
	lowest = lowest_error(t, 0);
	calm = lowest_error(t, GROWING);
	*also = fmax(lowest * NOT_WORSE, noise);
	if (calm <= EDGES && (calm <= noise || !explained)) {
		never = GROWING;
		lowest = calm;
	}
	limit = fmax(lowest * AS_GOOD, noise);
	for (mask = 1; mask < MASKS; mask++) {
		if (!(t[mask].error <= limit) || mask & never)
			continue;
		if (!best || count_terms(mask) < count_terms(best) ||
		    (count_terms(mask) == count_terms(best) &&
		     t[mask].error < t[best].error - 1e-9))
			best = mask;
	}
	return best;
}

static void add_formula(struct wm_fit *f, const struct wm_formula *also)
{
	if (f->also_count < WM_FIT_ALSO)
		f->also[f->also_count++] = *also;
}

static void fit_points(struct wm_fit *f, const struct wm_design *d,
		       const double *y, double noise)
{
	double sum = 0, size, limit, calm;
	struct trial t[MASKS];
	unsigned mask, best;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < d->count; i++)
		sum += d->weight[i] * y[i] * d->weight[i] * y[i];
	if (!(sum > 0))
		return;
	size = sqrt(sum / (double)d->used);
	for (mask = 1; mask < MASKS; mask++)
		try_terms(&t[mask], f->left_out, mask, d, y, size);
	best = choose_terms(t, d, fmax(noise, EXACT), &limit);
	f->error = INFINITY;
	if (!best)
		return;
	try_terms(&t[best], f->left_out, best, d, y, size);
	f->best = t[best].f;
	f->error = t[best].error;
	/* a term that grows may be there by chance */
	calm = limit;
	if (best & GROWING && !(f->error <= EXACT && has_spare(best, d)))
		calm = fmax(limit, DOUBT);
	for (mask = 1; mask < MASKS && d->used > 2; mask++)
		if (t[mask].error <= (mask & GROWING ? limit : calm) &&
		    count_terms(mask) <= count_terms(best))
			add_formula(f, &t[mask].f);
}

/* Fits only the jobs of several ranks, if these follow a simpler formula alone:
 * a job of one rank has no messages, no halo, and other ends. */
static void fit_many(struct wm_fit *f, const struct wm_design *d,
		     const double *y, double noise)
{
	double weight[WM_MODEL_RUNS] = { 0 }, alone = -1;
	struct wm_design rest;
	struct wm_fit side;

	for (size_t i = 0; i < d->count; i++) {
		weight[i] = d->point[i].n > 1 ? d->weight[i] : 0;
		if (d->weight[i] > weight[i])
			alone = fmax(alone, y[i]);
	}
	wm_design_make(&rest, d->point, weight, d->count);
	if (alone < 0 || rest.used < 2)
		return;
	rest.terms &= d->terms;
	fit_points(&side, &rest, y, fmax(noise, ALONE_ERROR * (rest.used < 3)));
	if (side.error > f->error / 2)
		return;
	if (rest.used < 3 && alone > 0) {
		/* many formulas explain only two points */
		if (side.best.count &&
		    (side.best.count > 1 || side.best.term[0] != WM_TERM_CONST))
			return;
		/* the jobs may also follow a formula that gives more for one
		 * rank: a halo whose faces are cut one after another */
		add_formula(&side, &f->best);
		for (size_t i = 0; i < f->also_count; i++)
			add_formula(&side, &f->also[i]);
	}
	*f = side;
	f->many = true;
	f->alone = alone;
}

void wm_fit_make(struct wm_fit *f, const struct wm_design *d, const double *y,
		 double noise)
{
	fit_points(f, d, y, noise);
	if (f->error > fmax(ALONE_ERROR, noise))
		fit_many(f, d, y, noise);
}

struct wm_fit_range wm_fit_at(const struct wm_fit *f, const struct wm_point *x)
{
	struct wm_fit_range at = { f->alone, f->alone, f->alone };
	double v[WM_TERMS], also;

	if (f->many && x->n <= 1)
		return at;
	wm_term_values(v, x);
	at.value = at.low = at.high = formula_value(&f->best, v);
	for (size_t i = 0; i < f->also_count; i++) {
		also = formula_value(&f->also[i], v);
		at.low = fmin(at.low, also);
		at.high = fmax(at.high, also);
	}
	return at;
}
