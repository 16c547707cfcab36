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
#define SURE 2
#define MOST_NOISE 0.05 /* of a site */
#define BY_CHANCE 1.5 /* times the scatter: formulas may be off */
#define EVEN 0.02 /* two ratios that differ less are the same */
#define OPEN 2 /* an interval that spans more is the answer itself */
/* MPICH takes its requests in pools of as many bytes */
#define MPICH_POOL 786432.0

/* ---- formulas ---- */

/* Whether runs of a role were left out to see how well it is known. */
static bool is_tested(const struct wm_model *m, size_t role)
{
	return __builtin_popcountll(m->role[role].seen) > 2;
}

static const struct wm_model_cell *
cell_of(const struct wm_model *m, size_t site, size_t part, size_t role)
{
	return m->site[site].cell[part * WM_ROLES + role];
}

static double part_total(const struct wm_model *m, size_t part, size_t role,
			 size_t run)
{
	double sum = 0;
	size_t k;

	for (k = 0; k < m->sites; k++) {
		const struct wm_model_cell *c = cell_of(m, k, part, role);

		sum += c ? c->bytes[run] : 0;
	}
	return sum;
}

/* The runs of a role in a part, as points to fit. */
struct role_runs {
	struct wm_point point[WM_MODEL_RUNS];
	double weight[WM_MODEL_RUNS];
	size_t at[WM_MODEL_RUNS], count;
	struct wm_design design;
};

static void find_runs(struct role_runs *r, const struct wm_model *m,
		      size_t part, size_t role)
{
	size_t i;

	r->count = 0;
	for (i = 0; i < m->runs; i++) {
		double total;

		if (!(m->role[role].seen & 1ull << i))
			continue;
		total = part_total(m, part, role, i);
		r->point[r->count] = m->point[i];
		/* errors count by what the rank needs */
		r->weight[r->count] = total > 0 ? 1 / total : 1;
		r->at[r->count++] = i;
	}
	wm_design_make(&r->design, r->point, r->weight, r->count);
}

static enum wm_status fit_own(const struct wm_model *m, size_t role,
			      size_t site, struct wm_model_cell *c,
			      const struct role_runs *r, struct wm_err *err)
{
	struct wm_design d = r->design;
	double noise;
	double y[WM_MODEL_RUNS], left[WM_MODEL_RUNS], share = 0, variance = 0;
	enum wm_status s;
	size_t i;

	for (i = 0; i < r->count; i++) {
		size_t k = m->role[role].members[r->at[i]];

		y[i] = c->bytes[r->at[i]];
		share = fmax(share, y[i] * r->weight[i]);
		variance += 1 / (double)(k ? k : r->point[i].n);
	}
	/* it has no law of its own */
	if (strcmp(m->site[site].path, WM_SITE_UNEVEN) == 0)
		d.terms &= ~(WM_TERMS_GROWING | WM_TERM_BIT(WM_TERM_SIZE));
	noise = share > 0 ? fmin(NOISE / share, MOST_NOISE) : 0;
	noise = fmax(noise, BY_CHANCE * c->scatter *
				    sqrt(variance / (double)r->count));
	s = wm_fit_make(&c->fit, &d, y, noise, err);
	memcpy(left, c->fit.left_out, sizeof(left));
	memset(c->fit.left_out, 0, sizeof(left));
	for (i = 0; i < r->count; i++)
		c->fit.left_out[r->at[i]] = left[i];
	return s;
}

/*
 * A role that few runs have follows the formula of the same site in rank 0,
 * times as much as it has more: one or two runs cannot tell P/N from N.
 * false: rank 0 has nothing there, or the runs do not agree.
 */
static bool fit_like_first(struct wm_model_cell *c,
			   const struct wm_model_cell *first,
			   const struct role_runs *r)
{
	double low = INFINITY, high = 0, last = 0;
	size_t i;

	for (i = 0; i < r->count; i++) {
		double there = first ? first->bytes[r->at[i]] : 0;

		if (!(there > 0))
			return false;
		last = c->bytes[r->at[i]] / there;
		low = fmin(low, last);
		high = fmax(high, last);
	}
	if (!r->count || high - low > fmax(EVEN, 2 * c->scatter) * high)
		return false;
	c->fit = first->fit;
	wm_fit_scale(&c->fit,
		     high - low > EVEN * high ? (low + high) / 2 : last);
	return true;
}

static enum wm_status fit_role(struct wm_model *m, size_t part, size_t role,
			       struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct role_runs r;
	size_t k;

	find_runs(&r, m, part, role);
	for (k = 0; k < m->sites && !s; k++) {
		struct wm_model_cell *c =
			m->site[k].cell[part * WM_ROLES + role];

		if (!c)
			continue;
		if (r.design.groups < 3 && role >= WM_ROLE_LAST &&
		    fit_like_first(c, cell_of(m, k, part, WM_ROLE_FIRST), &r))
			continue;
		s = fit_own(m, role, k, c, &r, err);
	}
	return s;
}

/* The errors of runs that were left out, of a role: of a phase, relative to all
 * of its bytes, and how much more that is than if sites were off by chance. */
static void find_error(struct wm_model *m, size_t part, size_t role)
{
	struct wm_model_part *p = &m->part[part];
	double sum = 0, apart = 0, total;
	size_t i, k, n = 0;

	for (i = 0; i < m->runs; i++) {
		double all = 0, squares = 0;

		for (k = 0; k < m->sites; k++) {
			const struct wm_model_cell *c = cell_of(m, k, part,
								role);
			double e = c ? c->fit.left_out[i] : 0;

			all += e;
			squares += e * e;
		}
		total = wm_model_value(m, role, part, &m->point[i]);
		if (!(total > 0))
			continue;
		sum += all / total * all / total;
		apart += squares / total / total;
		n++;
	}
	p->error[role] = n ? sqrt(sum / (double)n) : 0;
	p->together[role] = sum > apart ? sqrt(sum / apart) : 1;
	/* of a role that few runs have nothing is left out: it is no better
	 * known than rank 0 */
	if (!is_tested(m, role)) {
		p->error[role] = fmax(p->error[role], p->error[WM_ROLE_FIRST]);
		p->together[role] = p->together[WM_ROLE_FIRST];
	}
}

/* What MPI_Init() and static memory need: the least that a rank had. */
static void find_floor(struct wm_model *m)
{
	size_t i, k;

	m->floor = INFINITY;
	for (i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];
		double sum[64] = { 0 }, most = 0;

		for (k = 0; k < s->count; k++)
			if (m->site[s->held[k].site].place == WM_PLACE_START)
				sum[s->held[k].part] += s->held[k].bytes;
		for (k = 0; k < m->parts; k++)
			most = fmax(most, sum[k]);
		m->floor = fmin(m->floor, most);
	}
	if (!isfinite(m->floor))
		m->floor = 0;
}

/* Whether the program is linked with MPICH, or a kin of it. */
static bool has_mpich(const struct wm_model *m)
{
	size_t i;

	for (i = 0; i < m->sites; i++)
		if (strstr(m->site[i].path, "MPID"))
			return true;
	return false;
}

enum wm_status wm_model_fit(struct wm_model *m, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i, k;

	for (i = 0; i < m->runs; i++)
		m->weight[i] = 1;
	wm_design_make(&m->design, m->point, m->weight, m->runs);
	m->part_cap = m->parts;
	for (i = 0; i < m->sites && !s; i++) {
		m->site[i].cell = calloc(m->part_cap * WM_ROLES,
					 sizeof(*m->site[i].cell));
		if (!m->site[i].cell)
			s = wm_no_memory(err, "the model");
	}
	if (!s)
		s = wm_model_roles(m, err);
	if (s)
		return s;
	find_floor(m);
	if (has_mpich(m) && m->timed < MPICH_POOL) {
		m->timed = MPICH_POOL;
		m->timed_name = NULL;
	}
	for (i = 0; i < m->parts; i++)
		for (k = 0; k < m->roles && !s; k++) {
			s = fit_role(m, i, k, err);
			find_error(m, i, k);
		}
	return s;
}

/* ---- predictions ---- */

double wm_model_value(const struct wm_model *m, size_t role, size_t part,
		      const struct wm_point *x)
{
	double v = 0;
	size_t k;

	for (k = 0; k < m->sites; k++) {
		const struct wm_model_cell *c = cell_of(m, k, part, role);

		v += c ? wm_fit_value(&c->fit, x) : 0;
	}
	return v;
}

/* How far @v is outside of [@low, @high], in lengths of it (at least a
 * doubling), of logarithms. */
static double distance_outside(double v, double low, double high)
{
	double length = fmax(log(high / low), log(2));

	if (v > high)
		return log(v / high) / length;
	return v < low ? log(low / v) / length : 0;
}

static double distance_from_runs(const struct wm_model *m,
				 const struct wm_point *x)
{
	double n[2] = { INFINITY, 0 }, q[2] = { INFINITY, 0 };
	size_t i;

	for (i = 0; i < m->runs; i++) {
		const struct wm_point *r = &m->point[i];

		n[0] = fmin(n[0], r->n);
		n[1] = fmax(n[1], r->n);
		q[0] = fmin(q[0], r->p / r->n);
		q[1] = fmax(q[1], r->p / r->n);
	}
	return fmax(distance_outside(x->n, n[0], n[1]),
		    distance_outside(x->p / x->n, q[0], q[1]));
}

/*
 * How far @value of a site may be off: as runs that were left out are, relative
 * to it, and at least as the largest run is, as what is rounded stays when the
 * rest falls.  In a role that few runs have, as in rank 0, and as chance is.
 */
static double own_error(const struct wm_model *m, size_t site, size_t part,
			size_t role, double value)
{
	const struct wm_model_cell *c = cell_of(m, site, part, role);
	double off = 0, sum = 0, least = 0;
	size_t i;

	/* the mean of others is no draw */
	if (role < WM_ROLE_OTHERS || !is_tested(m, role))
		least = c->scatter * value;
	if (!is_tested(m, role))
		c = cell_of(m, site, part, WM_ROLE_FIRST);
	for (i = 0; i < m->runs && c; i++) {
		double e = c->fit.left_out[i], y = c->bytes[i];

		if (!(y > 0))
			continue;
		e /= fmax(y, y + e);
		off += e * e;
		sum++;
	}
	if (c)
		least = fmax(least, fabs(c->fit.left_out[wm_model_largest(m)]));
	return fmax(sum > 0 ? sqrt(off / sum) * value : 0, least);
}

static bool is_constant(const struct wm_fit *f)
{
	return f->best.count == 1 && f->best.term[0] == WM_TERM_CONST;
}

static bool fit_grows(const struct wm_fit *f)
{
	size_t i;

	for (i = 0; i < f->best.count; i++)
		if (WM_TERM_BIT(f->best.term[i]) & WM_TERMS_GROWING)
			return true;
	return false;
}

/*
 * What a site has in @x at least, when it is constant or has grown: what it had
 * in each run; of one that varies less, by as much as it does.
 */
static double least_of(const struct wm_model *m, const struct wm_model_cell *c,
		       size_t role, double value)
{
	double low = INFINITY, high = 0;
	size_t i;

	for (i = 0; i < m->runs; i++)
		if (m->role[role].seen & 1ull << i) {
			low = fmin(low, c->bytes[i]);
			high = fmax(high, c->bytes[i]);
		}
	if (value < low)
		return 0;
	if (fit_grows(&c->fit) && value > high)
		return low;
	return is_constant(&c->fit) ? fmax(2 * low - high, 0) : 0;
}

/* About the highest of @k that differ by chance beside their mean, in what the
 * highest of two is. */
static double highest_of(double k)
{
	return k > 2 ? pow(log2(k), 0.6) : 1;
}

/* How many ranks of a job of @n have a role: each kind of the others as many as
 * in the runs. */
static double ranks_like(const struct wm_model *m, size_t role, double n)
{
	size_t others = 0, i;

	for (i = WM_ROLE_OTHERS; i < m->roles; i++)
		others += m->role[i].ranks;
	if (role == WM_ROLE_FIRST)
		return m->role[WM_ROLE_LAST].seen ? 1 : n;
	if (role == WM_ROLE_LAST)
		return others ? n > 1 : n - 1;
	return fmax(n - 2, 0) * (double)m->role[role].ranks / (double)others;
}

/* How many times more the highest rank of a role may differ from the mean in a
 * job of @n ranks than in the runs: more ranks are more draws. */
static double draws(const struct wm_model *m, size_t role, double n)
{
	size_t most = 0, i;

	for (i = 0; i < m->runs; i++)
		if (m->role[role].members[i] > most)
			most = m->role[role].members[i];
	return fmax(highest_of(ranks_like(m, role, n)) /
			    highest_of((double)most),
		    1);
}

/* One role in one part; its highest rank, or its mean. */
static struct wm_prediction predict_part(const struct wm_model *m, size_t role,
					 size_t part, const struct wm_point *x,
					 bool mean)
{
	struct wm_prediction one = { .part = part, .role = role };
	double far = 1 + distance_from_runs(m, x), low, high, e;
	double squares = 0, least = 0, v;
	size_t k;

	for (k = 0; k < m->sites; k++) {
		const struct wm_model_cell *c = cell_of(m, k, part, role);

		bool uneven = strcmp(m->site[k].path, WM_SITE_UNEVEN) == 0;

		if (!c || (uneven && mean))
			continue;
		wm_fit_range(&c->fit, x, &low, &high);
		v = wm_fit_value(&c->fit, x);
		one.bytes += v;
		one.low += low;
		one.high += high;
		if (uneven)
			one.high += v * (draws(m, role, x->n) - 1);
		least += least_of(m, c, role, v);
		v = own_error(m, k, part, role, v) *
		    (is_constant(&c->fit) ? 1 : far);
		squares += v * v;
	}
	e = fmax(m->part[part].together[role] * sqrt(squares) * SURE,
		 LEAST_ERROR * one.bytes * far);
	one.low = fmax(one.low - e, fmin(least, one.low));
	one.high += e;
	return one;
}

static void take_highest(struct wm_prediction *all,
			 const struct wm_prediction *one, bool first)
{
	double low = fmax(all->low, one->low),
	       high = fmax(all->high, one->high);

	if (first || one->bytes > all->bytes)
		*all = *one;
	all->low = low;
	all->high = high;
}

static struct wm_prediction predict_role(const struct wm_model *m, size_t role,
					 const struct wm_point *x, bool mean)
{
	struct wm_prediction all = { .role = role }, one;
	size_t i;

	for (i = 0; i < m->parts; i++) {
		one = predict_part(m, role, i, x, mean);
		take_highest(&all, &one, !i);
	}
	return all;
}

static struct wm_prediction predict(const struct wm_model *m, enum wm_view v,
				    const struct wm_point *x)
{
	struct wm_prediction all = { .bytes = 0 }, one;
	size_t role;

	for (role = 0; role < m->roles; role++) {
		double ranks = ranks_like(m, role, x->n);

		if (!(ranks > 0) || !m->role[role].seen ||
		    (v == WM_VIEW_rank0 && role != WM_ROLE_FIRST))
			continue;
		one = predict_role(m, role, x, v == WM_VIEW_mean);
		if (v != WM_VIEW_mean) {
			take_highest(&all, &one, !role);
			continue;
		}
		all.bytes += ranks / x->n * one.bytes;
		all.low += ranks / x->n * one.low;
		all.high += ranks / x->n * one.high;
	}
	if (x->n > 1)
		all.high += m->timed;
	all.low = fmin(fmax(all.low, m->floor), all.bytes);
	all.has_range = m->design.groups > 2;
	return all;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 0.01 * b;
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
	const struct wm_point *r = &m->point[0];
	enum wm_scaling scaling = wm_model_scaling(m);
	bool one_n = m->design.like[WM_TERM_RANKS] == WM_TERM_CONST;

	*known = *x;
	if (one_n) {
		known->n = r->n;
		*times = x->n / r->n;
	} else if (scaling != WM_SCALING_MIXED) {
		known->p = scaling == WM_SCALING_STRONG ? r->p :
							  r->p / r->n * x->n;
		*times = x->p / known->p;
	}
	if (scaling == WM_SCALING_MIXED && !one_n)
		return WM_TOLD;
	return is_near(*times, 1) ? WM_TOLD :
	       one_n		  ? WM_UNTOLD_RANKS :
				    WM_UNTOLD_SIZE;
}

struct wm_prediction wm_model_predict(const struct wm_model *m, enum wm_view v,
				      const struct wm_point *x)
{
	struct wm_prediction all = predict(m, v, x), one;
	struct wm_point known;
	double times = 1;

	all.untold = untold_by(m, x, &known, &times);
	if (all.untold) {
		one = predict(m, v, &known);
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
	const struct wm_model_term *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->term != y->term)
		return x->term < y->term ? -1 : 1;
	return (int)x->many - (int)y->many;
}

size_t wm_model_terms(const struct wm_model *m, size_t role, size_t part,
		      const struct wm_fit *fit, const struct wm_point *x,
		      struct wm_model_term *term)
{
	double sum[2][WM_TERMS] = { { 0 } };
	size_t n = 0, i, k;
	unsigned t;

	for (i = 0; i < (fit ? 1 : m->sites); i++) {
		const struct wm_model_cell *c = fit ? NULL :
						      cell_of(m, i, part, role);
		const struct wm_fit *f = c ? &c->fit : fit;

		for (k = 0; f && k < f->best.count; k++)
			sum[f->many][f->best.term[k]] += f->best.coefficient[k];
	}
	for (k = 0; k < 2; k++)
		for (t = 0; t < WM_TERMS; t++)
			if (sum[k][t] > 0)
				term[n++] = (struct wm_model_term){
					t, k, sum[k][t],
					k && x->n <= 1 ?
						0 :
						sum[k][t] * wm_term_value(t, x)
				};
	qsort(term, n, sizeof(*term), by_bytes);
	return n;
}

size_t wm_model_largest(const struct wm_model *m)
{
	size_t best = 0, i;

	for (i = 1; i < m->runs; i++) {
		const struct wm_point *x = &m->point[i], *b = &m->point[best];

		if (x->n > b->n || (x->n == b->n && x->p > b->p))
			best = i;
	}
	return best;
}

enum wm_scaling wm_model_scaling(const struct wm_model *m)
{
	bool strong = true, weak = true;
	size_t i;

	for (i = 1; i < m->runs; i++) {
		const struct wm_point *x = &m->point[i], *o = &m->point[0];

		strong &= is_near(x->p, o->p);
		weak &= is_near(x->p / x->n, o->p / o->n);
	}
	return strong ? WM_SCALING_STRONG :
	       weak   ? WM_SCALING_WEAK :
			WM_SCALING_MIXED;
}
