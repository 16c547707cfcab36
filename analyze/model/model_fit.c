/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MASKS (1u << WM_TERMS)
#define DEPENDENT 1e-7 /* what is left of a column behind the others */
#define EXACT 1e-5 /* relative error that is no reason for another term */
#define AS_GOOD 1.33 /* times the lowest error */
#define NOISE 1e-2 /* what edges and rounding of a rank's share may be */
#define NOT_WORSE 2 /* times it: may be the right one as well */

/* The best fit with exactly these terms. */
struct trial {
	double c[WM_FIT_TERMS]; /* in order of terms */
	double squares; /* weighted, of what is left; infinite: no such fit */
};

/* All fits to one choice of points. */
struct trials {
	struct trial of[MASKS];
};

static size_t terms_of(unsigned mask, enum wm_term *term)
{
	size_t k = 0;
	unsigned t;

	for (t = 0; t < WM_TERMS; t++)
		if (mask & WM_TERM_BIT(t))
			term[k++] = t;
	return k;
}

static size_t count_terms(unsigned mask)
{
	return (size_t)__builtin_popcount(mask);
}

/* The weighted values of a term, of length 1; returns the length before. */
static double fill_column(double *q, enum wm_term t, const struct wm_design *d,
			  const size_t *at, size_t m)
{
	double sum = 0, norm;
	size_t i;

	for (i = 0; i < m; i++) {
		q[i] = wm_term_value(t, &d->point[at[i]]) * d->weight[at[i]];
		sum += q[i] * q[i];
	}
	norm = sqrt(sum);
	for (i = 0; i < m && norm > 0; i++)
		q[i] /= norm;
	return norm;
}

/* Column @j against those before it; false: it depends on them. */
static bool make_orthogonal(double (*q)[WM_MODEL_RUNS],
			    double (*up)[WM_FIT_TERMS], size_t j, size_t m)
{
	double left = 0;
	size_t i, l;

	for (l = 0; l < j; l++) {
		up[l][j] = 0;
		for (i = 0; i < m; i++)
			up[l][j] += q[l][i] * q[j][i];
		for (i = 0; i < m; i++)
			q[j][i] -= up[l][j] * q[l][i];
	}
	for (i = 0; i < m; i++)
		left += q[j][i] * q[j][i];
	up[j][j] = sqrt(left);
	if (up[j][j] < DEPENDENT)
		return false;
	for (i = 0; i < m; i++)
		q[j][i] /= up[j][j];
	return true;
}

/*
 * Least squares by Gram-Schmidt on columns of length 1, for the points whose
 * group is not @without.  A negative coefficient, or columns that depend on
 * each other, is no fit.
 */
static void solve_trial(struct trial *r, unsigned mask,
			const struct wm_design *d, const double *y,
			size_t without)
{
	double q[WM_FIT_TERMS][WM_MODEL_RUNS], up[WM_FIT_TERMS][WM_FIT_TERMS];
	double b[WM_MODEL_RUNS], z[WM_FIT_TERMS], scale[WM_FIT_TERMS];
	enum wm_term term[WM_TERMS];
	size_t k = terms_of(mask, term), m = 0, i, j, l;
	size_t at[WM_MODEL_RUNS];

	r->squares = INFINITY;
	for (i = 0; i < d->count; i++)
		if (d->group[i] != without)
			at[m++] = i;
	if (k > m)
		return;
	for (i = 0; i < m; i++)
		b[i] = y[at[i]] * d->weight[at[i]];
	for (j = 0; j < k; j++) {
		scale[j] = fill_column(q[j], term[j], d, at, m);
		if (!(scale[j] > 0) || !make_orthogonal(q, up, j, m))
			return;
		z[j] = 0;
		for (i = 0; i < m; i++)
			z[j] += q[j][i] * b[i];
		for (i = 0; i < m; i++)
			b[i] -= z[j] * q[j][i];
	}
	for (j = k; j-- > 0;) {
		double v = z[j];

		for (l = j + 1; l < k; l++)
			v -= up[j][l] * r->c[l] * scale[l];
		v /= up[j][j] * scale[j];
		if (!(v >= 0))
			return;
		r->c[j] = v;
	}
	r->squares = 0;
	for (i = 0; i < m; i++)
		r->squares += b[i] * b[i];
}

static bool is_candidate(const struct wm_design *d, unsigned mask, size_t most)
{
	return mask && !(mask & ~d->terms) && count_terms(mask) <= most;
}

static void solve_all(struct trials *t, const struct wm_design *d,
		      const double *y, size_t without, size_t most)
{
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++)
		if (is_candidate(d, mask, most))
			solve_trial(&t->of[mask], mask, d, y, without);
}

/*
 * The terms out of @mask of the best fit without negative coefficients: the
 * optimum is the plain one of the terms that it has.  0: none.
 */
static unsigned best_within(const struct trials *t, unsigned mask)
{
	unsigned best = 0, sub;

	for (sub = mask; sub; sub = (sub - 1) & mask) {
		double s = t->of[sub].squares;

		if (isinf(s))
			continue;
		if (!best || s < t->of[best].squares * (1 - 1e-12))
			best = sub;
	}
	return best;
}

static void make_formula(struct wm_formula *f, const struct trial *t,
			 unsigned mask)
{
	enum wm_term term[WM_TERMS];
	size_t k = terms_of(mask, term), j;

	f->count = 0;
	for (j = 0; j < k; j++) {
		if (!(t->c[j] > 0))
			continue;
		f->term[f->count] = term[j];
		f->coefficient[f->count++] = t->c[j];
	}
}

/* Root of the mean weighted square of @y. */
static double size_of(const struct wm_design *d, const double *y)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < d->count; i++)
		sum += d->weight[i] * y[i] * d->weight[i] * y[i];
	return sqrt(sum / (double)d->count);
}

/* Relative error of a fit to all points. */
static double plain_error(const struct wm_design *d, const struct trial *t,
			  double size)
{
	return sqrt(t->squares / (double)d->count) / size;
}

/* The lowest error of combinations without the terms @without. */
static double lowest_error(const double *error, unsigned without)
{
	double lowest = INFINITY;
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++)
		if (!(mask & without) && error[mask] < lowest)
			lowest = error[mask];
	return lowest;
}

/* Whether a combination goes through all points, and there are two more of them
 * than it has terms: rounding alone can look like that with one. */
static bool explains_all(const double *error, size_t groups)
{
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++)
		if (error[mask] <= EXACT && count_terms(mask) + 2 <= groups)
			return true;
	return false;
}

/*
 * Choose among @mask, whose errors are in @error (infinite: not to be had):
 * of those about as good as the best the one with the fewest terms, then the
 * one with the lowest error, then the first.
 *
 * What is left of a share of the problem are edges and rounding, (nx + 1) *
 * (ny + 1), and any term fits these a little better.  One that grows with the
 * ranks would be most of a large job, so it is not taken for so little, unless
 * it explains all.
 */
static unsigned choose_terms(const double *error, size_t groups, double *also)
{
	const unsigned growing = WM_TERMS_GROWING | WM_TERM_BIT(WM_TERM_SIZE);
	double lowest = lowest_error(error, 0), limit;
	double calm = lowest_error(error, growing);
	unsigned mask, best = 0, never = 0;

	*also = fmax(lowest * NOT_WORSE, EXACT);
	if (calm <= NOISE && (calm <= EXACT || !explains_all(error, groups))) {
		never = growing;
		lowest = calm;
	}
	limit = fmax(lowest * AS_GOOD, EXACT);
	for (mask = 1; mask < MASKS; mask++) {
		if (!(error[mask] <= limit) || mask & never)
			continue;
		if (!best || count_terms(mask) < count_terms(best) ||
		    (count_terms(mask) == count_terms(best) &&
		     error[mask] < error[best] - 1e-9))
			best = mask;
	}
	return best;
}

static void add_also(struct wm_fit *f, const struct trials *all,
		     const double *error, double limit, size_t most)
{
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++)
		if (error[mask] <= limit && count_terms(mask) <= most &&
		    f->also_count < WM_FIT_ALSO)
			make_formula(&f->also[f->also_count++], &all->of[mask],
				     mask);
}

/* Two different points: the order of preference is the rule. */
static void choose_by_rule(struct wm_fit *f, const struct wm_design *d,
			   struct trials *all, double *error, const double *y,
			   double size)
{
	static const unsigned rule[] = {
		WM_TERM_BIT(WM_TERM_CONST),
		WM_TERM_BIT(WM_TERM_SHARE),
		WM_TERM_BIT(WM_TERM_RANKS),
		WM_TERM_BIT(WM_TERM_CONST) | WM_TERM_BIT(WM_TERM_SHARE),
		WM_TERM_BIT(WM_TERM_CONST) | WM_TERM_BIT(WM_TERM_RANKS),
		WM_TERM_BIT(WM_TERM_SHARE) | WM_TERM_BIT(WM_TERM_RANKS),
	};
	unsigned mask, best = 0, nearest = 0;
	size_t i;

	solve_all(all, d, y, SIZE_MAX, d->groups);
	for (mask = 1; mask < MASKS; mask++)
		error[mask] = is_candidate(d, mask, d->groups) ?
				      plain_error(d, &all->of[mask], size) :
				      INFINITY;
	for (i = 0; i < sizeof(rule) / sizeof(*rule); i++) {
		mask = rule[i];
		/* between points of the same N and P there is noise */
		if (!best && error[mask] <= EXACT)
			best = mask;
		if (isfinite(error[mask]) &&
		    (!nearest || error[mask] < error[nearest] * (1 - 1e-9)))
			nearest = mask;
	}
	if (!best)
		best = nearest;
	if (!best)
		return;
	make_formula(&f->best, &all->of[best], best);
	f->error = error[best];
}

/*
 * What the fit @part to the points outside of group @g says of those in it:
 * errors to @out, returns their weighted squares.
 */
static double leave_out(double *out, const struct trials *part, unsigned mask,
			const struct wm_design *d, const double *y, size_t g)
{
	struct wm_formula without = { 0 };
	unsigned sub = best_within(part, mask);
	double sum = 0, e;
	size_t i;

	if (sub)
		make_formula(&without, &part->of[sub], sub);
	for (i = 0; i < d->count; i++) {
		if (d->group[i] != g)
			continue;
		out[i] = wm_formula_value(&without, &d->point[i]) - y[i];
		e = out[i] * d->weight[i];
		sum += e * e;
	}
	return sum;
}

/* Leave out each point in turn, and choose by what the others say of it. */
static enum wm_status
cross_validate(struct wm_fit *f, const struct wm_design *d, struct trials *all,
	       double *error, const double *y, double size, struct wm_err *err)
{
	size_t most = d->groups - 1 < WM_FIT_TERMS ? d->groups - 1 :
						     WM_FIT_TERMS,
	       g;
	struct trials *part = calloc(1, sizeof(*part));
	double(*out)[WM_MODEL_RUNS] = calloc(MASKS, sizeof(*out));
	unsigned mask, best;
	double limit;

	if (!part || !out) {
		free(part);
		free(out);
		return wm_no_memory(err, NULL);
	}
	solve_all(all, d, y, SIZE_MAX, most);
	for (mask = 1; mask < MASKS; mask++)
		error[mask] = is_candidate(d, mask, most) &&
					      isfinite(all->of[mask].squares) ?
				      0 :
				      INFINITY;
	for (g = 0; g < d->groups; g++) {
		solve_all(part, d, y, g, most);
		for (mask = 1; mask < MASKS; mask++)
			if (isfinite(error[mask]))
				error[mask] += leave_out(out[mask], part, mask,
							 d, y, g);
	}
	for (mask = 1; mask < MASKS; mask++)
		if (isfinite(error[mask]))
			error[mask] = sqrt(error[mask] / (double)d->count) /
				      size;
	best = choose_terms(error, d->groups, &limit);
	if (best) {
		make_formula(&f->best, &all->of[best], best);
		f->error = error[best];
		f->crossed = true;
		memcpy(f->left_out, out[best], sizeof(f->left_out));
		add_also(f, all, error, limit, count_terms(best));
	}
	free(part);
	free(out);
	return WM_OK;
}

enum wm_status wm_fit_plain(struct wm_fit *f, const struct wm_design *d,
			    const double *y, struct wm_err *err)
{
	double size = size_of(d, y);
	struct trials *all = NULL;
	double *error = NULL;
	enum wm_status s = WM_OK;
	size_t i;

	memset(f, 0, sizeof(*f));
	if (!(size > 0) || !d->groups)
		return WM_OK;
	for (i = 1; i < d->count && y[i] == y[0]; i++)
		;
	/* most sites of most programs: no need to try the rest */
	if (i == d->count && d->terms & WM_TERM_BIT(WM_TERM_CONST)) {
		f->best.count = 1;
		f->best.term[0] = WM_TERM_CONST;
		f->best.coefficient[0] = y[0];
		f->crossed = d->groups > 2;
		return WM_OK;
	}
	all = calloc(1, sizeof(*all));
	error = calloc(MASKS, sizeof(*error));
	if (!all || !error)
		s = wm_no_memory(err, NULL);
	else if (d->groups < 3)
		choose_by_rule(f, d, all, error, y, size);
	else
		s = cross_validate(f, d, all, error, y, size, err);
	free(all);
	free(error);
	return s;
}
