/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/model/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "wm/search.h"

#define NOISE 2e-5 /* part of the total that need not be explained */
/* least error of a prediction: rounding, edges and remainders that runs do not
 * show */
#define LEAST_ERROR 0.003
/* factor for the errors of runs that were left out, such that 19 of 20
 * predictions are off by less; found with half of the corpus */
#define SURE 2.2
#define MOST_NOISE 0.05 /* the most noise of a site */
#define BY_CHANCE 1.5 /* formulas may be off by this multiple of the scatter */
#define EVEN 0.02 /* ratios that differ by less are equal */
#define MUCH 0.01 /* a large part of a prediction */
#define NEAR 0.01 /* a job that differs by less is like the runs */
#define OPEN 2 /* a wider interval (high / low) replaces the figure */
/* bytes of a pool of requests in MPICH */
#define MPICH_POOL 786432.0

/* A role in a part: its highest rank in each run, and the runs as points to
 * fit, weighted by the need of that rank. */
struct basis {
	const struct wm_sample *highest[WM_MODEL_RUNS]; /* NULL: none */
	struct wm_design design;
};

static double sum_of(const struct wm_model *m, const struct wm_sample *s,
		     size_t part)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += m->site[i].part == part ? s->held[i] : 0;
	return sum;
}

static void make_bases(struct basis *b, const struct wm_model *m, size_t part)
{
	double weight[WM_ROLES][WM_MODEL_RUNS] = { { 0 } };

	for (size_t i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];
		double v = 1 / fmax(sum_of(m, s, part), 1);
		double *to = &weight[s->role][s->run];

		if (*to > 0 && v >= *to)
			continue;
		*to = v;
		b[s->role].highest[s->run] = s;
	}
	for (size_t i = 0; i < m->roles; i++)
		wm_design_make(&b[i].design, m->point, weight[i], m->runs);
}

/* Takes the bytes of a role's highest ranks at a site.  Returns false if all
 * are 0. */
static bool take_values(double y[WM_MODEL_RUNS], const struct basis *b,
			size_t site)
{
	bool held = false;

	for (size_t i = 0; i < b->design.count; i++) {
		y[i] = b->highest[i] ? b->highest[i]->held[site] : 0;
		held |= y[i] > 0;
	}
	return held;
}

/* Fills in @y, the bytes of a role of few runs at a site, as a multiple of the
 * bytes of rank 0: one or two runs cannot distinguish P/N from N.  Returns
 * false if rank 0 has nothing at the site, or if the multiples differ between
 * runs. */
static bool fill_like_first(double *y, const struct basis *b,
			    const double *first, double scatter)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < b->design.count; i++) {
		if (!b->highest[i])
			continue;
		if (!(first[i] > 0))
			return false;
		low = fmin(low, y[i] / first[i]);
		high = fmax(high, y[i] / first[i]);
	}
	if (high - low > fmax(EVEN, 2 * scatter) * high)
		return false;
	for (size_t i = 0; i < b->design.count; i++)
		y[i] = first[i] * (low + high) / 2;
	return true;
}

/* Stores the errors of predicting runs that were left out. .off is relative
 * to the larger of the measured and the predicted bytes. .least_off is the
 * error for the largest run in bytes, as rounding errors stay when other
 * bytes fall. */
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

/* @b has all roles; the first is rank 0, which all runs have. */
static void fit_cell(struct wm_model *m, const struct basis *b, size_t role,
		     size_t site)
{
	struct wm_model_cell *c = &m->cell[site * m->roles + role];
	double y[WM_MODEL_RUNS], first[WM_MODEL_RUNS], share = 0, noise;
	const struct wm_design *d = &b[role].design;
	double scatter = m->site[site].scatter;
	bool few = d->used < 3;

	c->held = take_values(y, &b[role], site);
	if (!c->held)
		return;
	if (few && role && take_values(first, b, site) &&
	    fill_like_first(y, &b[role], first, scatter))
		d = &b->design;
	for (size_t i = 0; i < m->runs; i++)
		share = fmax(share, y[i] * d->weight[i]);
	noise = share > 0 ? fmin(NOISE / share, MOST_NOISE) : 0;
	wm_fit_make(&c->fit, d, y, fmax(noise, BY_CHANCE * scatter));
	keep_errors(c, m, y);
	/* the highest of several ranks scatters less than a single rank */
	if (few || role < WM_ROLE_OTHERS)
		c->off = fmax(c->off, scatter);
}

static void fit_part(struct wm_model *m, size_t part)
{
	struct basis b[WM_ROLES] = { { .highest = { NULL } } };

	make_bases(b, m, part);
	for (size_t role = 0; role < m->roles; role++)
		for (size_t k = 0; k < m->sites; k++)
			if (m->site[k].part == part)
				fit_cell(m, b, role, k);
}

enum wm_status wm_model_fit(struct wm_model *m, struct wm_err *err)
{
	enum wm_status s = wm_model_roles(m, err);

	if (!s && m->mpich && m->timed < MPICH_POOL) {
		m->timed = MPICH_POOL;
		m->timed_name = NULL;
	}
	for (size_t i = 0; i < m->parts.count && !s; i++)
		fit_part(m, i);
	return s;
}

/* Returns how far @x lies outside of the runs in ranks or in each rank's share
 * of the problem: the logarithm, divided by the span of the runs or by that of
 * a doubling, whichever is larger. */
static double distance_from_runs(const struct wm_model *m,
				 const struct wm_point *x)
{
	double far = 0, low, high, v;

	for (size_t share = 0; share < 2; share++) {
		low = INFINITY;
		high = -INFINITY;
		for (size_t i = 0; i < m->runs; i++) {
			v = log((share ? m->point[i].p : 1) / m->point[i].n);
			low = fmin(low, v);
			high = fmax(high, v);
		}
		v = log((share ? x->p : 1) / x->n);
		v = fmax(v - high, low - v);
		far = fmax(far, v / fmax(high - low, log(2)));
	}
	return far;
}

static bool is_constant(const struct wm_fit *f)
{
	return f->best.count == 1 && f->best.term[0] == WM_TERM_CONST;
}

/* Returns the bytes by which a site may fall if job @x cuts its grids in
 * another direction than the runs.  Bytes of a site that do not follow its
 * share of the problem, or that exist only in jobs of several ranks, may be an
 * edge or a face of grids that the runs cut in one direction only. */
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

static struct wm_prediction predict_part(const struct wm_model *m, size_t role,
					 size_t part, const struct wm_point *x)
{
	struct wm_prediction one = { .part = part, .role = role };
	double far = 1 + distance_from_runs(m, x), squares = 0, least = 0, e;

	for (size_t k = 0; k < m->sites; k++) {
		const struct wm_model_cell *c = wm_model_cell(m, part, k, role);
		struct wm_fit_range at;
		bool flat;

		if (!c)
			continue;
		at = wm_fit_at(&c->fit, x);
		flat = is_constant(&c->fit);
		if (m->site[k].doubles && !flat) {
			at.low = fmin(at.low, at.value / 2);
			at.high = fmax(at.high, at.value * 2);
			if (at.value > one.doubling)
				one.doubles = &m->site[k];
			one.doubling = fmax(one.doubling, at.value);
		}
		at.low = fmin(at.low, at.value - falling_edge(m, &c->fit, x));
		one.bytes += at.value;
		one.low += at.low;
		one.high += at.high;
		if (m->site[k].start || flat)
			least += at.low *
				 fmax(1 - LEAST_ERROR - SURE * c->off, 0);
		e = fmax(c->off * at.value, c->least_off) * (flat ? 1 : far);
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

	/* roles from WM_ROLE_OTHERS on need three ranks or more */
	for (size_t role = 0; role < m->roles; role++)
		for (size_t part = 0; part < m->parts.count; part++) {
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

struct wm_prediction wm_model_predict(const struct wm_model *m,
				      const struct wm_point *x)
{
	const struct wm_point *r = &m->point[0];
	const struct wm_design *d = &m->design;
	struct wm_prediction all = predict(m, x), one;
	/* @x, but like the runs where all runs agree */
	struct wm_point known = *x;
	double times; /* how many times as large as .known @x is */

	if (d->one_n)
		known.n = r->n;
	else if (d->one_p || d->one_share)
		known.p = d->one_p ? r->p : r->p / r->n * x->n;
	times = x->n / known.n * x->p / known.p;
	if (fabs(times - 1) > NEAR) {
		one = predict(m, &known);
		all.low = fmin(all.low, one.low * fmin(times, 1));
		all.high = fmax(all.high, one.high * fmax(times, 1));
		all.has_range = true;
		all.untold = WM_UNTOLD_OTHER;
	} else if (all.has_range && all.high > OPEN * all.low) {
		all.untold = WM_UNTOLD_WIDE;
	}
	return all;
}

static int by_bytes(const void *a, const void *b)
{
	const struct wm_law_term *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes), WM_ORDER(x->term, y->term),
		       WM_ORDER(x->many, y->many));
}

struct wm_law wm_model_law(const struct wm_model *m, size_t role, size_t part,
			   size_t site, const struct wm_point *x)
{
	double sum[2][WM_TERMS] = { { 0 } }, v[WM_TERMS];
	struct wm_law l = { .role = role, .part = part, .site = site };

	for (size_t i = 0; i < m->sites; i++) {
		const struct wm_model_cell *c = wm_model_cell(m, part, i, role);

		if (site < m->sites && i != site)
			continue;
		l.bytes += c ? wm_fit_at(&c->fit, x).value : 0;
		for (size_t k = 0; c && k < c->fit.best.count; k++)
			sum[c->fit.many][c->fit.best.term[k]] +=
				c->fit.best.coefficient[k];
	}
	wm_term_values(v, x);
	for (size_t k = 0; k < 2; k++)
		for (unsigned t = 0; t < WM_TERMS; t++) {
			double bytes = k && x->n <= 1 ? 0 : sum[k][t] * v[t];

			if (!(sum[k][t] > 0))
				continue;
			l.grows |= (WM_TERM_BIT(t) & WM_TERMS_GROWING) != 0;
			l.term[l.terms++] = (struct wm_law_term){ t, k,
								  sum[k][t],
								  bytes };
		}
	WM_SORT(l.term, l.terms, by_bytes);
	return l;
}
