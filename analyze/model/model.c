/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

#define POOL_SHARE 1e-3 /* of the total: sites that are below it everywhere */
#define POOL_ERROR 0.05 /* and that no formula explains better */
#define MOST_RANKS 0x1p40
#define STEP 1.05 /* of the search over numbers of ranks */

static void site_release(struct wm_model_site *s)
{
	free(s->path);
	free(s->name);
	free(s->file);
}

static void part_release(struct wm_model_part *p)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		site_release(&p->site[i]);
	free(p->site);
	free(p->name);
}

void wm_model_drop(struct wm_model *m, uint64_t seen)
{
	size_t i, n = 0;

	for (i = 0; i < m->parts; i++) {
		if ((m->part[i].seen & seen) == seen)
			m->part[n++] = m->part[i];
		else
			part_release(&m->part[i]);
	}
	m->parts = n;
}

void wm_model_release(struct wm_model *m)
{
	size_t i;

	for (i = 0; i < m->parts; i++)
		part_release(&m->part[i]);
	free(m->part);
	memset(m, 0, sizeof(*m));
}

struct wm_model_part *wm_model_part(struct wm_model *m, const char *name)
{
	struct wm_model_part *p;

	p = realloc(m->part, (m->parts + 1) * sizeof(*p));
	if (!p)
		return NULL;
	m->part = p;
	p += m->parts;
	memset(p, 0, sizeof(*p));
	if (name && !(p->name = strdup(name)))
		return NULL;
	m->parts++;
	return p;
}

/* Sites are in order of path. */
struct wm_model_site *wm_model_site(struct wm_model_part *part,
				    const char *path, const char *name,
				    const char *file, uint32_t line)
{
	size_t low = 0, high = part->count, mid;
	struct wm_model_site *s;

	while (low < high) {
		int r;

		mid = low + (high - low) / 2;
		r = strcmp(part->site[mid].path, path);
		if (!r)
			return &part->site[mid];
		if (r < 0)
			low = mid + 1;
		else
			high = mid;
	}
	s = WM_ROOM(part->site, part->cap, part->count + 1);
	if (!s)
		return NULL;
	s += low;
	memmove(s + 1, s, (part->count - low) * sizeof(*s));
	part->count++;
	memset(s, 0, sizeof(*s));
	s->path = strdup(path);
	s->name = strdup(name);
	s->file = file ? strdup(file) : NULL;
	s->line = line;
	return s->path && s->name && (s->file || !file) ? s : NULL;
}

/* The length of @part, "main:12" or "main:+1a2b", without the place. */
static size_t name_length(const char *part, size_t length)
{
	size_t i = length;

	while (i && strchr("0123456789abcdef+", part[i - 1]))
		i--;
	if (!i || part[i - 1] != ':' || i == length)
		return length;
	/* a line has no letters, an address a sign */
	if (part[i] != '+' && strspn(part + i, "0123456789") < length - i)
		return length;
	return i - 1;
}

/* "main:12;solve:+3" becomes "main;solve". */
static void strip_lines(char *path)
{
	char *to = path;

	for (;;) {
		size_t length = strcspn(path, ";");

		memmove(to, path, name_length(path, length));
		to += name_length(path, length);
		path += length;
		if (!*path)
			break;
		*to++ = *path++;
	}
	*to = 0;
}

enum wm_status wm_model_forget_lines(struct wm_model *m, struct wm_err *err)
{
	size_t i, k, run;

	for (i = 0; i < m->parts; i++) {
		struct wm_model_part old = m->part[i], *part = &m->part[i];
		bool short_of_memory = false;

		part->site = NULL;
		part->count = part->cap = 0;
		for (k = 0; k < old.count; k++) {
			struct wm_model_site *from = &old.site[k], *to;

			strip_lines(from->path);
			to = wm_model_site(part, from->path, from->name,
					   from->file, from->line);
			short_of_memory |= !to;
			for (run = 0; to && run < WM_MODEL_RUNS; run++)
				to->bytes[run] += from->bytes[run];
			site_release(from);
		}
		free(old.site);
		if (short_of_memory)
			return wm_no_memory(err, "the model");
	}
	return WM_OK;
}

/* ---- formulas ---- */

/* Below a thousandth of the total in every run. */
static bool is_small(const struct wm_model_part *p,
		     const struct wm_model_site *s, size_t runs)
{
	size_t i;

	for (i = 0; i < runs; i++)
		if (s->bytes[i] > POOL_SHARE * p->total[i])
			return false;
	return true;
}

static void find_error(struct wm_model_part *p, size_t runs)
{
	double sum = 0, e;
	size_t i, k;

	for (i = 0; i < runs; i++) {
		e = p->pool.left_out[i];
		for (k = 0; k < p->count; k++)
			e += p->site[k].fit.left_out[i];
		if (p->total[i] > 0)
			sum += e / p->total[i] * e / p->total[i];
	}
	p->error = sqrt(sum / (double)runs);
}

/*
 * What is left is noise, unless a formula explains its sum: then it is
 * constant, and that formula only widens the range.
 */
static enum wm_status fit_pool(struct wm_model_part *p,
			       const struct wm_design *d, const double *pool,
			       struct wm_err *err)
{
	struct wm_design flat = *d;
	struct wm_formula other;
	enum wm_status s = wm_fit_make(&p->pool, d, pool, err);

	if (s || p->pool.error <= POOL_ERROR ||
	    !(d->terms & WM_TERM_BIT(WM_TERM_CONST)))
		return s;
	other = p->pool.best;
	flat.terms = WM_TERM_BIT(WM_TERM_CONST);
	s = wm_fit_make(&p->pool, &flat, pool, err);
	p->pool.also[0] = other;
	p->pool.also_count = 1;
	return s;
}

static enum wm_status fit_part(struct wm_model_part *p, struct wm_model *m,
			       unsigned allowed, struct wm_err *err)
{
	double weight[WM_MODEL_RUNS], pool[WM_MODEL_RUNS] = { 0 };
	struct wm_design d;
	enum wm_status s = WM_OK;
	size_t i, k;

	for (i = 0; i < m->runs; i++) {
		p->total[i] = 0;
		for (k = 0; k < p->count; k++)
			p->total[i] += p->site[k].bytes[i];
		/* errors count by what the run needs */
		weight[i] = p->total[i] > 0 ? 1 / p->total[i] : 1;
	}
	wm_design_make(&d, m->point, weight, m->runs, allowed);
	p->crossed = d.groups > 2;
	for (k = 0; k < p->count && !s; k++) {
		struct wm_model_site *site = &p->site[k];

		s = wm_fit_make(&site->fit, &d, site->bytes, err);
		if (s || !is_small(p, site, m->runs) ||
		    site->fit.error <= POOL_ERROR)
			continue;
		site->pooled = true;
		memset(&site->fit, 0, sizeof(site->fit));
		p->pooled++;
		for (i = 0; i < m->runs; i++)
			pool[i] += site->bytes[i];
	}
	if (!s)
		s = fit_pool(p, &d, pool, err);
	if (!s)
		find_error(p, m->runs);
	return s;
}

enum wm_status wm_model_fit(struct wm_model *m, unsigned allowed,
			    struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i;

	for (i = 0; i < m->runs; i++)
		m->weight[i] = 1;
	wm_design_make(&m->design, m->point, m->weight, m->runs, allowed);
	if (!m->parts)
		return wm_no_memory(err, "the model");
	for (i = 0; i < m->parts && !s; i++)
		s = fit_part(&m->part[i], m, allowed, err);
	return s;
}

/* ---- predictions ---- */

double wm_part_value(const struct wm_model_part *p, const struct wm_point *x)
{
	double v = wm_fit_value(&p->pool, x);
	size_t i;

	for (i = 0; i < p->count; i++)
		v += wm_fit_value(&p->site[i].fit, x);
	return v;
}

/* How far @v is outside of [@low, @high], in lengths of it (at least a
 * doubling), of logarithms. */
static double distance_outside(double v, double low, double high)
{
	double length = log(high / low);

	length = length > log(2) ? length : log(2);
	if (v > high)
		return log(v / high) / length;
	return v < low ? log(low / v) / length : 0;
}

static double distance_from_runs(const struct wm_model *m,
				 const struct wm_point *x)
{
	double n[2] = { INFINITY, 0 }, q[2] = { INFINITY, 0 }, dn, dq;
	size_t i;

	for (i = 0; i < m->runs; i++) {
		const struct wm_point *r = &m->point[i];

		n[0] = fmin(n[0], r->n);
		n[1] = fmax(n[1], r->n);
		q[0] = fmin(q[0], r->p / r->n);
		q[1] = fmax(q[1], r->p / r->n);
	}
	dn = distance_outside(x->n, n[0], n[1]);
	dq = distance_outside(x->p / x->n, q[0], q[1]);
	return dn > dq ? dn : dq;
}

/* Of Student's t, 97.5 %, for as many runs that were left out. */
static double student_quantile(size_t groups)
{
	static const double t[] = { 12.71, 12.71, 12.71, 4.30, 3.18, 2.78,
				    2.57,  2.45,  2.36,	 2.31, 2.26, 2.23 };
	size_t most = sizeof(t) / sizeof(*t);

	return t[groups < most ? groups : most - 1];
}

static void add_range(const struct wm_fit *f, const struct wm_point *x,
		      struct wm_prediction *to)
{
	double low, high;

	wm_fit_range(f, x, &low, &high);
	to->bytes += wm_fit_value(f, x);
	to->low += low;
	to->high += high;
}

struct wm_prediction wm_model_predict(const struct wm_model *m,
				      const struct wm_point *x)
{
	struct wm_prediction all = { .has_range = m->design.groups > 2 };
	double far = 1 + distance_from_runs(m, x), e;
	size_t i, k;

	far *= far * student_quantile(m->design.groups);
	for (i = 0; i < m->parts; i++) {
		const struct wm_model_part *p = &m->part[i];
		struct wm_prediction one = { .bytes = 0 };

		add_range(&p->pool, x, &one);
		for (k = 0; k < p->count; k++)
			add_range(&p->site[k].fit, x, &one);
		e = p->error * one.bytes * far;
		one.low = fmax(one.low - e, 0);
		one.high += e;
		if (!i || one.bytes > all.bytes) {
			all.bytes = one.bytes;
			all.part = i;
		}
		all.low = fmax(all.low, one.low);
		all.high = fmax(all.high, one.high);
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
	return (int)x->when - (int)y->when;
}

static void add_terms(double (*sum)[WM_TERMS], const struct wm_fit *f)
{
	size_t i;

	for (i = 0; i < f->best.count; i++)
		sum[f->when][f->best.term[i]] += f->best.coefficient[i];
}

struct wm_model_term wm_model_term(enum wm_term t, enum wm_when when,
				   double coefficient, const struct wm_point *x)
{
	return (struct wm_model_term){
		t, when, coefficient,
		wm_fit_holds(when, x->n) ? coefficient * wm_term_value(t, x) : 0
	};
}

size_t wm_part_terms(const struct wm_model_part *p, const struct wm_point *x,
		     struct wm_model_term *term)
{
	double sum[WM_WHENS][WM_TERMS] = { { 0 } };
	size_t n = 0, i;
	unsigned t, k;

	add_terms(sum, &p->pool);
	for (i = 0; i < p->count; i++)
		add_terms(sum, &p->site[i].fit);
	for (k = 0; k < WM_WHENS; k++)
		for (t = 0; t < WM_TERMS; t++)
			if (sum[k][t] > 0)
				term[n++] = wm_model_term(t, k, sum[k][t], x);
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

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 0.01 * b;
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

/* ---- nodes ---- */

struct nodes {
	const struct wm_model *model;
	double node, per;
	void (*job)(void *context, double n, struct wm_point *x);
	void *context;
};

static double node_bytes(const struct nodes *o, double n)
{
	struct wm_point x = { .n = 0 };
	double most = 0, v;
	size_t i;

	o->job(o->context, n, &x);
	for (i = 0; i < o->model->parts; i++) {
		v = wm_part_value(&o->model->part[i], &x);
		most = v > most ? v : most;
	}
	return most * o->per;
}

static bool node_overflows(const struct nodes *o, double n)
{
	return node_bytes(o, n) > o->node;
}

/* The first N in (@good, @bad] that is like @bad. */
static double find_boundary(const struct nodes *o, double good, double bad)
{
	bool want = node_overflows(o, bad);

	while (bad - good > 1) {
		double mid = floor((good + bad) / 2);

		if (node_overflows(o, mid) == want)
			bad = mid;
		else
			good = mid;
	}
	return bad;
}

/*
 * Every term is convex in log N, and so are their sums and maxima: what a full
 * node needs falls with N at first, and then only grows.  So it is enough to
 * take steps, and to search between two of them.
 */
void wm_model_node(const struct wm_model *m, double node, double per,
		   void (*job)(void *context, double n, struct wm_point *x),
		   void *context, uint64_t *fits, uint64_t *first)
{
	struct nodes o = { m, node, per, job, context };
	double n = per, last = 0;

	*fits = *first = 0;
	for (; n <= MOST_RANKS; last = n, n = ceil(n * STEP)) {
		if (!*fits && !node_overflows(&o, n))
			*fits = (uint64_t)(last > 0 ?
						   find_boundary(&o, last, n) :
						   n);
		else if (*fits && node_overflows(&o, n))
			break;
	}
	if (*fits && n <= MOST_RANKS)
		*first = (uint64_t)find_boundary(&o, fmax(last, (double)*fits),
						 n);
	else if (!*fits)
		*first = (uint64_t)per;
}
