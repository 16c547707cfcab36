/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NOISE 2e-5 /* of the total: what explains all but that is enough */
/* Of a prediction: rounding, edges and remainders that runs do not show */
#define LEAST_ERROR 0.003
/* times the errors of runs that were left out: 19 in 20 predictions are off by
 * less, on the half of the corpus that such numbers are chosen by */
#define SURE 2.2
#define MOST_NOISE 0.05 /* of a site */
#define BY_CHANCE 1.5 /* times the scatter: formulas may be off */
#define EVEN 0.02 /* two ratios that differ less are the same */
#define MUCH 0.01 /* of a prediction */
#define NEAR 0.01 /* a job that differs less is like the runs */
#define OPEN 2 /* an interval that spans more is the answer itself */
/* MPICH takes its requests in pools of as many bytes */
#define MPICH_POOL 786432.0

/* ---- formulas ---- */

/* The runs of a role in a part as points to fit, where errors count by what the
 * rank needs; other runs have no weight. */
struct basis {
	double weight[WM_MODEL_RUNS];
	struct wm_design design;
};

static void make_basis(struct basis *b, const struct wm_model *m, size_t part,
		       size_t role)
{
	size_t i, k;

	for (i = 0; i < m->runs; i++) {
		double total = 0;

		for (k = 0; k < m->sites; k++) {
			const struct wm_model_cell *c = wm_model_cell(m, part,
								      k, role);

			total += c ? c->bytes[i] : 0;
		}
		b->weight[i] = !(m->role[role].seen & 1ull << i) ? 0 :
			       total > 0			 ? 1 / total :
								   1;
	}
	wm_design_make(&b->design, m->point, b->weight, m->runs);
}

/*
 * The bytes that a role of few runs would hold at a site in all runs, as many
 * times more than rank 0: one or two runs cannot tell P/N from N.  false: rank
 * 0 has nothing there, or the runs do not agree.
 */
static bool fill_like_first(double *y, const struct wm_model *m,
			    const struct basis *b,
			    const struct wm_model_cell *c,
			    const struct wm_model_cell *first)
{
	double low = INFINITY, high = 0;
	size_t i;

	for (i = 0; i < m->runs; i++) {
		double there = first ? first->bytes[i] : 0;

		if (!(b->weight[i] > 0))
			continue;
		if (!(there > 0))
			return false;
		low = fmin(low, c->bytes[i] / there);
		high = fmax(high, c->bytes[i] / there);
	}
	if (high - low > fmax(EVEN, 2 * c->scatter) * high)
		return false;
	for (i = 0; i < m->runs; i++)
		y[i] = first->bytes[i] * (low + high) / 2;
	return true;
}

/* How far the runs that were left out were off, relative to what they had or
 * were said to have; and the largest run, as what is rounded stays when the
 * rest falls. */
static void keep_errors(struct wm_model_cell *c, const struct wm_model *m,
			const double *y)
{
	double squares = 0, e;
	size_t i, n = 0;

	for (i = 0; i < m->runs; i++) {
		if (!(y[i] > 0))
			continue;
		e = c->fit.left_out[i];
		e /= fmax(y[i], y[i] + e);
		squares += e * e;
		n++;
	}
	c->off = n ? sqrt(squares / (double)n) : 0;
	c->least_off = fabs(c->fit.left_out[m->largest]);
}

static enum wm_status fit_cell(struct wm_model *m, size_t part, size_t role,
			       size_t site, const struct basis *b,
			       struct wm_err *err)
{
	const struct wm_model_cell *first = wm_model_cell(m, part, site,
							  WM_ROLE_FIRST);
	struct wm_model_cell *c = wm_model_cell(m, part, site, role);
	bool few = b[role].design.used < 3;
	double y[WM_MODEL_RUNS], share = 0, noise;
	struct wm_design d;
	enum wm_status s;
	size_t as = role, i;

	if (few && role && fill_like_first(y, m, &b[role], c, first))
		as = WM_ROLE_FIRST;
	else
		memcpy(y, c->bytes, sizeof(y));
	d = b[as].design;
	for (i = 0; i < m->runs; i++)
		share = fmax(share, y[i] * d.weight[i]);
	noise = share > 0 ? fmin(NOISE / share, MOST_NOISE) : 0;
	noise = fmax(noise, BY_CHANCE * c->scatter);
	s = wm_fit_make(&c->fit, &d, y, noise, err);
	keep_errors(c, m, y);
	/* the highest of several is no single draw */
	if (few || role < WM_ROLE_OTHERS)
		c->off = fmax(c->off, c->scatter);
	return s;
}

/* The roles of a part; rank 0 is the first, which all runs have. */
static enum wm_status fit_part(struct wm_model *m, size_t part,
			       struct wm_err *err)
{
	struct basis b[WM_ROLES];
	enum wm_status s = WM_OK;
	size_t role, k;

	for (role = 0; role < m->roles; role++) {
		make_basis(&b[role], m, part, role);
		for (k = 0; k < m->sites && !s; k++)
			if (wm_model_cell(m, part, k, role))
				s = fit_cell(m, part, role, k, b, err);
	}
	return s;
}

enum wm_status wm_model_fit(struct wm_model *m, struct wm_err *err)
{
	enum wm_status s = wm_model_roles(m, err);
	size_t i;

	if (!s && m->mpich && m->timed < MPICH_POOL) {
		m->timed = MPICH_POOL;
		m->timed_name = NULL;
	}
	for (i = 0; i < m->parts && !s; i++)
		s = fit_part(m, i, err);
	return s;
}

/* ---- predictions ---- */

/* How far @x is outside of the runs in ranks or in their share of the problem,
 * by logarithms, in lengths of what the runs span (at least a doubling). */
static double distance_from_runs(const struct wm_model *m,
				 const struct wm_point *x)
{
	double far = 0, low, high, v, length;
	size_t share, i;

	for (share = 0; share < 2; share++) {
		low = INFINITY;
		high = 0;
		for (i = 0; i < m->runs; i++) {
			v = (share ? m->point[i].p : 1) / m->point[i].n;
			low = fmin(low, v);
			high = fmax(high, v);
		}
		v = (share ? x->p : 1) / x->n;
		length = fmax(log(high / low), log(2));
		far = fmax(far, fmax(log(v / high), log(low / v)) / length);
	}
	return far;
}

static bool is_constant(const struct wm_fit *f)
{
	return f->best.count == 1 && f->best.term[0] == WM_TERM_CONST;
}

/*
 * What a site has beside its share of the problem, or in jobs of several ranks
 * alone, may be an edge or a face of grids that the runs cut in one direction:
 * by how much it falls when another job cuts the other one, too.
 */
static double falling_edge(const struct wm_model *m, const struct wm_fit *f,
			   const struct wm_point *x)
{
	const struct wm_point *near = &m->point[m->largest];
	double falls = x->p / x->n / (near->p / near->n);
	const struct wm_formula *best = &f->best;
	size_t n = best->count;

	if (!n || best->term[0] != WM_TERM_CONST || falls >= 1)
		return 0;
	if (n == 1 ? !f->many || f->alone > 0 : best->term[1] != WM_TERM_SHARE)
		return 0;
	return best->coefficient[0] * (1 - sqrt(falls));
}

/* One role in one part. */
static struct wm_prediction predict_part(const struct wm_model *m, size_t role,
					 size_t part, const struct wm_point *x)
{
	struct wm_prediction one = { .part = part, .role = role };
	double far = 1 + distance_from_runs(m, x), low, high, e;
	double squares = 0, least = 0, v;
	size_t k;

	for (k = 0; k < m->sites; k++) {
		const struct wm_model_cell *c = wm_model_cell(m, part, k, role);

		if (!c)
			continue;
		v = wm_fit_value(&c->fit, x);
		wm_fit_range(&c->fit, x, &low, &high);
		if (m->site[k].doubles && !is_constant(&c->fit)) {
			low = fmin(low, v / 2);
			high = fmax(high, v * 2);
			if (v > one.doubling)
				one.doubles = &m->site[k];
			one.doubling = fmax(one.doubling, v);
		}
		one.bytes += v;
		low = fmin(low, v - falling_edge(m, &c->fit, x));
		one.low += low;
		if (m->site[k].start || is_constant(&c->fit))
			least += low * fmax(1 - LEAST_ERROR - SURE * c->off, 0);
		one.high += high;
		e = fmax(c->off * v, c->least_off) *
		    (is_constant(&c->fit) ? 1 : far);
		squares += e * e;
	}
	e = fmax(sqrt(squares) * SURE, LEAST_ERROR * one.bytes * far);
	one.low = fmax(one.low - e, least);
	one.high += e;
	if (one.doubling < one.bytes * MUCH)
		one.doubles = NULL;
	return one;
}

static struct wm_prediction predict(const struct wm_model *m,
				    const struct wm_point *x)
{
	struct wm_prediction all = { .bytes = 0 }, one;
	double low = 0, high = 0;
	size_t role, part;

	/* the others, from WM_ROLE_OTHERS on, are in jobs of three ranks */
	for (role = 0; role < m->roles; role++)
		for (part = 0; part < m->parts; part++) {
			if (!(x->n > fmin((double)role, WM_ROLE_OTHERS)) ||
			    !m->role[role].seen)
				continue;
			one = predict_part(m, role, part, x);
			low = fmax(low, one.low);
			high = fmax(high, one.high);
			if (one.bytes > all.bytes)
				all = one;
		}
	all.low = fmin(low, all.bytes);
	all.high = high + (x->n > 1 ? m->timed : 0);
	all.has_range = m->design.used > 2;
	return all;
}

/*
 * Whether all runs have one P, one P/N or one N and the job @x has another:
 * *@known is the job that is like it but for that, and *@times how many times
 * as much of it @x has.
 */
static enum wm_untold untold_by(const struct wm_model *m,
				const struct wm_point *x,
				struct wm_point *known, double *times)
{
	const struct wm_design *d = &m->design;
	const struct wm_point *r = &m->point[0];

	*known = *x;
	if (d->one_n)
		known->n = r->n;
	else if (d->one_p || d->one_share)
		known->p = d->one_p ? r->p : r->p / r->n * x->n;
	*times = x->n / known->n * x->p / known->p;
	return fabs(*times - 1) <= NEAR ? WM_TOLD : WM_UNTOLD_OTHER;
}

struct wm_prediction wm_model_predict(const struct wm_model *m,
				      const struct wm_point *x)
{
	struct wm_prediction all = predict(m, x), one;
	struct wm_point known;
	double times;

	all.untold = untold_by(m, x, &known, &times);
	if (all.untold) {
		one = predict(m, &known);
		all.low = fmin(all.low, one.low * fmin(times, 1));
		all.high = fmax(all.high, one.high * fmax(times, 1));
		all.has_range = true;
	} else if (all.has_range && all.high > OPEN * all.low) {
		all.untold = WM_UNTOLD_WIDE;
	}
	return all;
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_law_term *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return ((int)x->term - (int)y->term) * 2 + x->many - y->many;
}

struct wm_law wm_model_law(const struct wm_model *m, size_t role, size_t part,
			   size_t site, const struct wm_point *x)
{
	double sum[2][WM_TERMS] = { { 0 } }, v[WM_TERMS];
	bool one = site < m->sites;
	struct wm_law l = { .role = role, .part = part, .site = site };
	size_t i, k;
	unsigned t;

	for (i = one ? site : 0; i < (one ? site + 1 : m->sites); i++) {
		const struct wm_model_cell *c = wm_model_cell(m, part, i, role);

		l.bytes += c ? wm_fit_value(&c->fit, x) : 0;
		for (k = 0; c && k < c->fit.best.count; k++)
			sum[c->fit.many][c->fit.best.term[k]] +=
				c->fit.best.coefficient[k];
	}
	wm_term_values(v, x);
	for (k = 0; k < 2; k++)
		for (t = 0; t < WM_TERMS; t++) {
			double bytes = k && x->n <= 1 ? 0 : sum[k][t] * v[t];

			if (!(sum[k][t] > 0))
				continue;
			l.grows |= (WM_TERM_BIT(t) & WM_TERMS_GROWING) != 0;
			l.term[l.terms++] = (struct wm_law_term){ t, k,
								  sum[k][t],
								  bytes };
		}
	qsort(l.term, l.terms, sizeof(*l.term), by_bytes);
	return l;
}
