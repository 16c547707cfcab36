/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MASKS (1u << WM_TERMS)
#define DEPENDENT 1e-11 /* squared: what is left of a column behind others */
#define PARALLEL 1e-9 /* 1 - cosine: the same but for rounding */
#define EXACT 1e-5 /* relative error that is no reason for another term */
#define AS_GOOD 1.33 /* times the lowest error */
#define FAR_BETTER 4 /* times: what N^2 must explain better than the others */
#define EDGES 1e-2 /* what edges and rounding of a rank's share may be */
#define NOT_WORSE 2 /* times the lowest error: may be the right one as well */
#define MAY_BE 0.2 /* of a formula that does not grow, beside one that does */
/* on every rank, when there are more of them, or more of the problem */
#define GROWING (WM_TERMS_GROWING | WM_TERM_BIT(WM_TERM_SIZE))
#define MOST_NOISE 0.05 /* where more than two points tell */
#define ALONE_ERROR 0.02 /* beyond: see whether one rank is a case apart */
#define ON_OFF_ERROR 0.1 /* beyond: what comes and goes has no formula */

#define WM_TERM_X(name, symbol) symbol,
const char *const wm_term_symbol[WM_TERMS] = { WM_TERM_LIST(WM_TERM_X) };
#undef WM_TERM_X

double wm_term_value(enum wm_term t, const struct wm_point *x)
{
	double share = x->p / x->n;

	switch (t) {
	case WM_TERM_CONST:
		return 1;
	case WM_TERM_SHARE:
		return share;
	case WM_TERM_SHARE_23:
		return cbrt(share) * cbrt(share);
	case WM_TERM_SHARE_12:
		return sqrt(share);
	case WM_TERM_LOG:
		return log2(x->n);
	case WM_TERM_SQRT:
		return sqrt(x->n);
	case WM_TERM_RANKS:
		return x->n;
	case WM_TERM_PAIRS:
		return x->n * x->n;
	case WM_TERM_SIZE:
		return x->p;
	case WM_TERMS:
		break;
	}
	return 0;
}

static double formula_value(const struct wm_formula *f,
			    const struct wm_point *x)
{
	double v = 0;
	size_t i;

	for (i = 0; i < f->count; i++)
		v += f->coefficient[i] * wm_term_value(f->term[i], x);
	return v;
}

/* ---- what can be told apart ---- */

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
	return ab > (1 - PARALLEL) * sqrt(aa) * sqrt(bb);
}

void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count)
{
	unsigned t, u, apart;
	size_t i, j;

	memset(d, 0, sizeof(*d));
	d->point = point;
	d->weight = weight;
	d->count = count;
	for (i = 0; i < count; i++) {
		for (j = 0; j < i; j++)
			if (point[i].n == point[j].n &&
			    point[i].p == point[j].p)
				break;
		d->group[i] = j < i ? d->group[j] : d->groups++;
	}
	/* two points cannot tell N from log N: all of them stay, and the order
	 * of preference decides */
	apart = d->groups == 2 ? WM_TERMS_GROWING : 0;
	for (t = 0; t < WM_TERMS; t++) {
		double sum = 0;
		unsigned others = d->terms;

		if (apart & WM_TERM_BIT(t))
			others &= ~apart;
		d->like[t] = WM_TERMS;
		for (i = 0; i < count; i++)
			sum += wm_term_value(t, &point[i]);
		if (sum <= 0)
			continue;
		for (u = 0; u < t; u++)
			if (others & WM_TERM_BIT(u) && are_parallel(d, u, t))
				break;
		if (u < t)
			d->like[t] = u;
		else
			d->terms |= WM_TERM_BIT(t);
	}
}

/* ---- least squares ---- */

/* The best fit with exactly these terms. */
struct trial {
	struct wm_formula f;
	double squares; /* weighted, of what is left; infinite: no such fit */
};

struct search {
	struct trial all[MASKS]; /* fits to all points */
	struct trial part[MASKS]; /* to those outside of a group */
	double out[MASKS][WM_MODEL_RUNS]; /* as wm_fit.left_out */
	double error[MASKS]; /* infinite: not to be had */
};

static size_t count_terms(unsigned mask)
{
	return (size_t)__builtin_popcount(mask);
}

/* Solve the @k equations in @a, symmetric with a diagonal of 1, the right hand
 * sides behind; false: columns depend on each other, or @x is not above 0. */
static bool solve(double (*a)[WM_FIT_TERMS + 1], size_t k, double *x)
{
	size_t i, j, l;

	for (i = 0; i < k; i++) {
		if (!(a[i][i] > DEPENDENT))
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

/* Least squares, for the points whose group is not @without. */
static void solve_trial(struct trial *r, unsigned mask,
			const struct wm_design *d, const double *y,
			size_t without)
{
	double a[WM_FIT_TERMS][WM_FIT_TERMS + 1] = { { 0 } }, e;
	double column[WM_TERMS], scale[WM_FIT_TERMS];
	struct wm_formula *f = &r->f;
	size_t i, j, l, k = 0;
	unsigned t;

	r->squares = INFINITY;
	for (t = 0; t < WM_TERMS; t++)
		if (mask & WM_TERM_BIT(t))
			f->term[k++] = t;
	f->count = k;
	for (i = 0; i < d->count; i++) {
		for (j = 0; j < k && d->group[i] != without; j++) {
			column[j] = wm_term_value(f->term[j], &d->point[i]) *
				    d->weight[i];
			for (l = 0; l <= j; l++)
				a[j][l] += column[j] * column[l];
			a[j][k] += column[j] * y[i] * d->weight[i];
		}
	}
	for (j = 0; j < k; j++)
		scale[j] = sqrt(a[j][j]);
	for (j = 0; j < k; j++) {
		for (l = 0; l <= j; l++)
			a[l][j] = a[j][l] /= scale[j] * scale[l];
		a[j][k] /= scale[j];
	}
	if (!solve(a, k, f->coefficient))
		return;
	for (j = 0; j < k; j++)
		f->coefficient[j] /= scale[j];
	r->squares = 0;
	for (i = 0; i < d->count; i++) {
		e = (formula_value(f, &d->point[i]) - y[i]) * d->weight[i];
		r->squares += d->group[i] != without ? e * e : 0;
	}
}

static void solve_all(struct trial *t, const struct wm_design *d,
		      const double *y, size_t without, size_t most)
{
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++) {
		t[mask].squares = INFINITY;
		if (!(mask & ~d->terms) && count_terms(mask) <= most)
			solve_trial(&t[mask], mask, d, y, without);
	}
}

/*
 * The terms out of @mask of the best fit without negative coefficients: the
 * optimum is the plain one of the terms that it has.  0: none.
 */
static unsigned best_within(const struct trial *t, unsigned mask)
{
	unsigned best = 0, sub;

	for (sub = mask; sub; sub = (sub - 1) & mask)
		if (!isinf(t[sub].squares) &&
		    (!best || t[sub].squares < t[best].squares * (1 - 1e-12)))
			best = sub;
	return best;
}

static void make_constant(struct wm_formula *f, double bytes)
{
	f->count = bytes > 0;
	f->term[0] = WM_TERM_CONST;
	f->coefficient[0] = bytes;
}

/* ---- the choice ---- */

/* The lowest error of combinations without the terms @without. */
static double lowest_error(const double *error, unsigned without)
{
	double lowest = INFINITY;
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++)
		if (!(mask & without))
			lowest = fmin(lowest, error[mask]);
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
 * Of the combinations about as good as the best the one with the fewest terms,
 * then the one with the lowest error, then the first.
 *
 * Edges and rounding are left of a share of the problem, (nx + 1) * (ny + 1),
 * and any term fits these a little better.  One that grows with the ranks would
 * be most of a large job, so it is not taken for so little, unless it explains
 * all.
 */
static unsigned choose_terms(double *error, size_t groups, double noise,
			     double *also)
{
	const unsigned pairs = WM_TERM_BIT(WM_TERM_PAIRS);
	double lowest, calm, limit, plain = lowest_error(error, pairs);
	unsigned mask, best = 0, never = 0;

	for (mask = 1; mask < MASKS; mask++)
		if (mask & pairs && (error[mask] * FAR_BETTER > plain ||
				     plain <= fmax(EXACT, noise) ||
				     count_terms(mask) + 2 > groups))
			error[mask] = INFINITY;
	lowest = lowest_error(error, 0);
	calm = lowest_error(error, GROWING);
	*also = fmax(lowest * NOT_WORSE, EXACT);
	if (calm <= EDGES &&
	    (calm <= fmax(EXACT, noise) || !explains_all(error, groups))) {
		never = GROWING;
		lowest = calm;
	}
	limit = fmax(fmax(lowest * AS_GOOD, EXACT), noise);
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

static void add_formula(struct wm_fit *f, const struct wm_formula *also)
{
	if (f->also_count < WM_FIT_ALSO)
		f->also[f->also_count++] = *also;
}

static void add_also(struct wm_fit *f, const struct search *s, double limit,
		     size_t most)
{
	unsigned mask;

	for (mask = 1; mask < MASKS; mask++)
		if (s->error[mask] <= limit && count_terms(mask) <= most)
			add_formula(f, &s->all[mask].f);
}

/* The best one that does not grow. */
static void add_calm(struct wm_fit *f, const struct search *s)
{
	unsigned mask, best = 0;

	for (mask = 1; mask < MASKS; mask++)
		if (!(mask & GROWING) && s->error[mask] < MAY_BE &&
		    (!best || s->error[mask] < s->error[best]))
			best = mask;
	if (best)
		add_formula(f, &s->all[best].f);
}

/* Two different points: the order of preference is the rule. */
static void choose_by_rule(struct wm_fit *f, const struct wm_design *d,
			   struct search *s, const double *y, double size,
			   double noise)
{
	static const unsigned rule[] = {
		WM_TERM_BIT(WM_TERM_CONST),
		WM_TERM_BIT(WM_TERM_SHARE),
		WM_TERM_BIT(WM_TERM_RANKS),
		WM_TERM_BIT(WM_TERM_CONST) | WM_TERM_BIT(WM_TERM_SHARE),
		WM_TERM_BIT(WM_TERM_CONST) | WM_TERM_BIT(WM_TERM_RANKS),
		WM_TERM_BIT(WM_TERM_SHARE) | WM_TERM_BIT(WM_TERM_RANKS),
	};
	const struct trial *t = s->all, *best = NULL;
	double error, limit = fmax(EXACT, d->chance);
	size_t i;

	solve_all(s->all, d, y, SIZE_MAX, d->groups);
	f->error = INFINITY;
	for (i = 0; i < sizeof(rule) / sizeof(*rule); i++) {
		error = sqrt(t[rule[i]].squares / (double)d->count) / size;
		if (error >= f->error * (1 - 1e-9))
			continue;
		best = &t[rule[i]];
		f->error = error;
		if (error <= fmax(limit, i ? 0 : noise))
			break;
	}
	if (best)
		f->best = best->f;
	else
		f->error = 0;
}

/* What the fits to the points outside of group @g say of those in it. */
static void leave_out(struct search *s, const struct wm_design *d,
		      const double *y, size_t g)
{
	unsigned mask;
	size_t i;

	for (mask = 1; mask < MASKS; mask++) {
		struct wm_formula f = { 0 };
		unsigned sub = best_within(s->part, mask);

		if (isinf(s->error[mask]))
			continue;
		if (sub)
			f = s->part[sub].f;
		for (i = 0; i < d->count; i++) {
			double e;

			if (d->group[i] != g)
				continue;
			e = formula_value(&f, &d->point[i]) - y[i];
			s->out[mask][i] = e;
			s->error[mask] += e * d->weight[i] * e * d->weight[i];
		}
	}
}

/* Leave out each point in turn, and choose by what the others say of it. */
static void cross_validate(struct wm_fit *f, const struct wm_design *d,
			   struct search *s, const double *y, double size,
			   double noise)
{
	size_t most = d->groups - 1 < WM_FIT_TERMS ? d->groups - 1 :
						     WM_FIT_TERMS,
	       g;
	unsigned mask, best;
	double limit;

	solve_all(s->all, d, y, SIZE_MAX, most);
	for (mask = 1; mask < MASKS; mask++)
		s->error[mask] = isfinite(s->all[mask].squares) ? 0 : INFINITY;
	for (g = 0; g < d->groups; g++) {
		solve_all(s->part, d, y, g, most);
		leave_out(s, d, y, g);
	}
	for (mask = 1; mask < MASKS; mask++)
		if (isfinite(s->error[mask]))
			s->error[mask] = sqrt(s->error[mask] /
					      (double)d->count) /
					 size;
	best = choose_terms(s->error, d->groups, noise, &limit);
	if (!best)
		return;
	f->best = s->all[best].f;
	f->error = s->error[best];
	memcpy(f->left_out, s->out[best], sizeof(f->left_out));
	add_also(f, s, limit, count_terms(best));
	/* with no run to spare what does not grow may be as true */
	if (best & WM_TERMS_GROWING && count_terms(best) + 2 > d->groups)
		add_calm(f, s);
}

/* One formula for all points. */
static void fit_points(struct wm_fit *f, const struct wm_design *d,
		       const double *y, double noise, struct search *s)
{
	double sum = 0, size;
	size_t i;

	memset(f, 0, sizeof(*f));
	for (i = 0; i < d->count; i++)
		sum += d->weight[i] * y[i] * d->weight[i] * y[i];
	size = sqrt(sum / (double)d->count);
	if (!(size > 0))
		return;
	for (i = 1; i < d->count && y[i] == y[0]; i++)
		;
	/* most sites of most programs: no need to try the rest */
	if (i == d->count && d->terms & WM_TERM_BIT(WM_TERM_CONST))
		make_constant(&f->best, y[0]);
	else if (d->groups < 3)
		choose_by_rule(f, d, s, y, size, noise);
	else
		cross_validate(f, d, s, y, size,
			       fmax(d->chance, fmin(noise, MOST_NOISE)));
}

/* ---- cases that sums of terms do not describe ---- */

/* The jobs of several ranks alone, when they follow a simpler formula: a job of
 * one rank has no messages, no halo, and other ends. */
static bool fit_many(struct wm_fit *f, const struct wm_design *d,
		     const double *y, double noise, struct search *s)
{
	struct wm_point point[WM_MODEL_RUNS];
	double weight[WM_MODEL_RUNS], part[WM_MODEL_RUNS], alone = -1;
	size_t at[WM_MODEL_RUNS], m = 0, there = 0, i;
	struct wm_design rest;
	struct wm_fit side;

	for (i = 0; i < d->count; i++) {
		if (d->point[i].n <= 1) {
			alone = fmax(alone, y[i]);
			continue;
		}
		point[m] = d->point[i];
		weight[m] = d->weight[i];
		part[m] = y[i];
		there += y[i] > 0;
		at[m++] = i;
	}
	if (alone < 0 || m < 2 || (there && there < m))
		return false;
	wm_design_make(&rest, point, weight, m);
	rest.chance = d->chance;
	fit_points(&side, &rest, part,
		   fmax(noise, ALONE_ERROR * (rest.groups < 3)), s);
	if (f->best.count && side.error > f->error / 2)
		return false;
	/* two points are explained by much */
	if (rest.groups < 3 && alone > 0 && side.best.count &&
	    (side.best.count != 1 || side.best.term[0] != WM_TERM_CONST))
		return false;
	/* two points that are alike may as well follow what is larger with one
	 * rank: a halo whose faces are cut one after another */
	if (rest.groups < 3 && alone > 0) {
		add_formula(&side, &f->best);
		for (i = 0; i < f->also_count; i++)
			add_formula(&side, &f->also[i]);
	}
	*f = side;
	f->many = true;
	f->alone = alone;
	memset(f->left_out, 0, sizeof(f->left_out));
	for (i = 0; i < m; i++)
		f->left_out[at[i]] = side.left_out[i];
	return true;
}

/* Where it is there in some jobs of several ranks and not in others it is as
 * much as was ever seen, in any job; the formula widens the range. */
static void make_level(struct wm_fit *f, const struct wm_design *d,
		       const double *y)
{
	double most = 0, other;
	bool gone = false;
	size_t i, k;

	for (i = 0; i < d->count; i++) {
		most = fmax(most, y[i]);
		gone |= d->point[i].n > 1 && !(y[i] > 0);
	}
	if (!gone || !(most > 0))
		return;
	f->also[0] = f->best;
	f->also_count = 1;
	make_constant(&f->best, most);
	for (i = 0; i < d->count && d->groups > 2; i++) {
		for (other = 0, k = 0; k < d->count; k++)
			if (d->group[k] != d->group[i])
				other = fmax(other, y[k]);
		f->left_out[i] = other - y[i];
	}
}

enum wm_status wm_fit_make(struct wm_fit *f, const struct wm_design *d,
			   const double *y, double noise, struct wm_err *err)
{
	struct search *s = malloc(sizeof(*s));

	if (!s)
		return wm_no_memory(err, "the model");
	fit_points(f, d, y, noise, s);
	if (!(f->best.count && f->error <= fmax(fmax(ALONE_ERROR, d->chance),
						fmin(noise, MOST_NOISE))) &&
	    !fit_many(f, d, y, noise, s) && f->error > ON_OFF_ERROR)
		make_level(f, d, y);
	free(s);
	return WM_OK;
}

void wm_fit_scale(struct wm_fit *f, double factor)
{
	size_t i, k;

	for (i = 0; i < WM_FIT_TERMS; i++) {
		f->best.coefficient[i] *= factor;
		for (k = 0; k < f->also_count; k++)
			f->also[k].coefficient[i] *= factor;
	}
	f->alone *= factor;
	for (i = 0; i < WM_MODEL_RUNS; i++)
		f->left_out[i] *= factor;
}

double wm_fit_value(const struct wm_fit *f, const struct wm_point *x)
{
	return f->many && x->n <= 1 ? f->alone : formula_value(&f->best, x);
}

void wm_fit_range(const struct wm_fit *f, const struct wm_point *x, double *low,
		  double *high)
{
	size_t i;

	*low = *high = wm_fit_value(f, x);
	for (i = 0; i < f->also_count && !(f->many && x->n <= 1); i++) {
		double v = formula_value(&f->also[i], x);

		*low = fmin(*low, v);
		*high = fmax(*high, v);
	}
}
