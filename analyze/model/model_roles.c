/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ranks of the runs have the same role, and which blocks ranks have by
 * timing alone.
 */
#include "analyze/model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIKE 0.02 /* of the bytes: ranks of one run are of one kind */
#define TIGHT 0.005 /* of the bytes: kinds whose ranks differ more are chance */
#define SAME_KIND 0.05 /* of ranks of different runs */
#define KINDS 4 /* of a run; more: each rank is a kind, they are uneven */
#define TIMED_BYTES 1024 /* less moves no prediction */
#define TIMED_SHARE 0.01 /* of a site: more is a difference */
#define FEW 4 /* as many ranks: half of what is known of chance */
#define UNEVEN 1e-3 /* of the bytes of a role */

/* The role of the first and of the last rank; the others have kinds. */
static size_t end_of(const struct wm_sample *s)
{
	return !s->rank		       ? WM_ROLE_FIRST :
	       s->rank + 1 == s->ranks ? WM_ROLE_LAST :
					 WM_ROLE_OTHERS;
}

/* ---- blocks that ranks have by timing ---- */

/* What a sample has in a part of the sites called @name inside of MPI. */
static double sum_named(const struct wm_model *m, const struct wm_sample *s,
			uint32_t part, const char *name)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->count; i++) {
		const struct wm_model_site *site = &m->site[s->held[i].site];

		if (s->held[i].part == part && site->place == WM_PLACE_MPI &&
		    strcmp(site->name, name) == 0)
			sum += s->held[i].bytes;
	}
	return sum;
}

/* How many ranks of a run have sites of a name, and how much. */
struct presence {
	size_t ranks, have, inner;
	double inner_low, inner_high, low, first, last;
};

static void find_presence(struct presence *p, const struct wm_model *m,
			  size_t run, uint32_t part, const char *name)
{
	size_t i;

	*p = (struct presence){ .inner_low = INFINITY, .low = INFINITY };
	for (i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];
		double v;

		if (s->run != run)
			continue;
		v = sum_named(m, s, part, name);
		p->ranks++;
		p->have += v > 0;
		p->low = fmin(p->low, v);
		if (!s->rank)
			p->first = v;
		else if (s->rank + 1 == s->ranks)
			p->last = v;
		else {
			p->inner++;
			p->inner_low = fmin(p->inner_low, v);
			p->inner_high = fmax(p->inner_high, v);
		}
	}
}

/* Runs by ranks; those of one rank come first. */
static size_t order_runs(const struct wm_model *m, size_t *order)
{
	size_t i, k;

	for (i = 0; i < m->runs; i++) {
		for (k = i; k && m->point[order[k - 1]].n > m->point[i].n; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	return m->runs;
}

/*
 * Whether ranks have the sites of @name by timing alone: of one run some of
 * the ranks between the first and the last have more than others, or a role
 * has them in one run and not in a larger one, or only some ranks of the
 * largest run have them.  *@least: what each rank has of them in any case.
 */
static bool is_timed(const struct wm_model *m, uint32_t part, const char *name,
		     double *least)
{
	size_t order[WM_MODEL_RUNS], n = order_runs(m, order), i;
	double first = 0, last = 0;
	bool timed = false, before = false;

	*least = INFINITY;
	for (i = 0; i < n; i++) {
		struct presence p;

		if (m->point[order[i]].n <= 1)
			continue;
		find_presence(&p, m, order[i], part, name);
		*least = fmin(*least, p.low);
		timed |= p.inner > 1 &&
			 p.inner_high - p.inner_low >
				 fmax(TIMED_SHARE * p.inner_high, TIMED_BYTES);
		timed |= (first > TIMED_BYTES && !(p.first > 0)) ||
			 (last > TIMED_BYTES && !(p.last > 0));
		timed |= i + 1 == n && i && !before && p.have &&
			 p.have < p.ranks &&
			 fmax(p.first, p.last) > TIMED_BYTES;
		before |= p.have != 0;
		first = p.first;
		last = p.last;
	}
	if (!isfinite(*least))
		*least = 0;
	return timed;
}

/* Take what is timed out of a part, but for what each rank has of it. */
static enum wm_status take_out(struct wm_model *m, uint32_t part,
			       const char *name, double least, double *most,
			       struct wm_err *err)
{
	uint32_t rest = UINT32_MAX;
	enum wm_status s = WM_OK;
	size_t i, k;

	if (least > 0) {
		rest = wm_model_site(m, name, name);
		if (rest == UINT32_MAX)
			return wm_no_memory(err, "the model");
		m->site[rest].place = WM_PLACE_START;
	}
	for (i = 0; i < m->samples && !s; i++) {
		struct wm_sample *r = &m->sample[i];
		double had = sum_named(m, r, part, name);

		for (k = 0; k < r->count && had > 0; k++) {
			struct wm_model_site *site = &m->site[r->held[k].site];

			if (r->held[k].part != part ||
			    site->place != WM_PLACE_MPI ||
			    strcmp(site->name, name) != 0)
				continue;
			site->timed = true;
			r->held[k].bytes = 0;
		}
		if (had > 0 && rest != UINT32_MAX)
			s = wm_sample_add(r, part, rest, fmin(had, least), err);
		r->timed += fmax(had - least, 0);
		if (had - least > *most) {
			*most = had - least;
			m->timed_name = name;
		}
	}
	return s;
}

/* Whether it is the first site inside of MPI that is called so. */
static bool is_first(const struct wm_model *m, size_t site)
{
	size_t i;

	for (i = 0; i < site; i++)
		if (m->site[i].place == WM_PLACE_MPI &&
		    strcmp(m->site[i].name, m->site[site].name) == 0)
			return false;
	return m->site[site].place == WM_PLACE_MPI;
}

static enum wm_status find_timed(struct wm_model *m, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i, sites = m->sites;
	double least, most = 0;
	uint32_t part;

	for (part = 0; part < m->parts && !s; part++) {
		for (i = 0; i < m->samples; i++)
			m->sample[i].timed = 0;
		for (i = 0; i < sites && !s; i++)
			if (is_first(m, i) &&
			    is_timed(m, part, m->site[i].name, &least))
				s = take_out(m, part, m->site[i].name, least,
					     &most, err);
		for (i = 0; i < m->samples; i++)
			m->timed = fmax(m->timed, m->sample[i].timed);
	}
	return s;
}

/* ---- kinds of ranks ---- */

/* Ranks of a run of one kind, and their mean: bytes by part and site. */
struct kind {
	double *bytes;
	size_t ranks;
	uint64_t like;
};

static void add_held(double *to, const struct wm_model *m,
		     const struct wm_sample *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		to[s->held[i].part * m->sites + s->held[i].site] +=
			s->held[i].bytes;
}

/* What makes ranks kinds. */
enum likeness {
	BY_BYTES, /* they have as much of each site */
	BY_SITES, /* they have the same sites */
	ALL, /* nothing: all are of one kind */
};

/* Bytes in which @a and @b differ at a site. */
static double apart_at(double a, double b, enum likeness by)
{
	return by == BY_BYTES || !(a > 0) || !(b > 0) ? fabs(a - b) : 0;
}

/* In all, as a share of the larger one. */
static double difference(const double *a, const double *b, size_t n,
			 enum likeness by)
{
	double sum = 0, other = 0, apart = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		sum += a[i];
		other += b[i];
		apart += apart_at(a[i], b[i], by);
	}
	return apart > 0 ? apart / fmax(sum, other) : 0;
}

/*
 * Put the ranks of a run that are neither the first nor the last into kinds;
 * their number, KINDS + 1 for too many, or those of chance: ranks that differ
 * at random fall into kinds, too, but into loose ones, or as many as ranks.
 */
static size_t find_kinds(struct wm_model *m, size_t run, struct kind *kind,
			 enum likeness by, double *one)
{
	size_t n = m->parts * m->sites, kinds = 0, ranks = 0, i, k, j;
	double loosest = 0;

	for (i = 0; i < m->samples; i++) {
		struct wm_sample *s = &m->sample[i];

		if (s->run != run || end_of(s) < WM_ROLE_OTHERS)
			continue;
		memset(one, 0, n * sizeof(*one));
		add_held(one, m, s);
		for (k = 0; k < kinds && by != ALL; k++) {
			double d = difference(kind[k].bytes, one, n, by);

			if (d > ALIKE)
				continue;
			loosest = fmax(loosest, d);
			break;
		}
		if (k == kinds && kinds++ == KINDS)
			return KINDS + 1;
		ranks++;
		if (!kind[k].ranks) {
			memset(kind[k].bytes, 0, n * sizeof(*one));
			kind[k].like = s->rank;
		}
		for (j = 0; j < n; j++)
			kind[k].bytes[j] += (one[j] - kind[k].bytes[j]) /
					    ((double)kind[k].ranks + 1);
		kind[k].ranks++;
		s->role = k;
	}
	return m->roles == WM_ROLE_OTHERS && by == BY_BYTES && kinds > 1 &&
			       (loosest > TIGHT || ranks < 2 * kinds) ?
		       KINDS + 1 :
		       kinds;
}

/* @index: of a site, which there is, in a part. */
static double *cell_bytes(struct wm_model *m, size_t index, size_t role)
{
	size_t sites = m->sites ? m->sites : 1, part = index / sites;
	struct wm_model_site *s = &m->site[index % sites];
	struct wm_model_cell **c = &s->cell[part * WM_ROLES + role];

	if (!*c)
		*c = calloc(1, sizeof(**c));
	return *c ? (*c)->bytes : NULL;
}

static double role_bytes(const struct wm_model *m, size_t index, size_t role,
			 size_t run)
{
	const struct wm_model_cell *c =
		m->site[index % m->sites]
			.cell[index / m->sites * WM_ROLES + role];

	return c ? c->bytes[run] : 0;
}

/* How much a kind of @run differs from a role that run @other has: its bytes
 * are compared as multiples of what rank 0 has at the same site. */
static double kind_difference(const struct wm_model *m, const struct kind *k,
			      size_t run, size_t role, size_t other,
			      enum likeness by)
{
	double sum = 0, apart = 0;
	size_t i;

	for (i = 0; i < m->parts * m->sites; i++) {
		double first = role_bytes(m, i, WM_ROLE_FIRST, run);
		double there = role_bytes(m, i, WM_ROLE_FIRST, other);
		double a = k->bytes[i], b = role_bytes(m, i, role, other);

		sum += a;
		if (by == BY_BYTES && (!(first > 0) || !(there > 0)))
			continue;
		b *= by == BY_BYTES ? first / there : 1;
		apart += apart_at(a, b, by);
	}
	return sum > 0 ? apart / sum : 0;
}

/* The role of a kind, a new one where none is alike; SIZE_MAX: there are too
 * many. */
static size_t role_of(struct wm_model *m, const struct kind *k, size_t run,
		      enum likeness by)
{
	size_t role, other, best = m->roles;
	double least = by == ALL ? INFINITY : SAME_KIND, d;

	for (role = WM_ROLE_OTHERS; role < m->roles; role++) {
		if (m->role[role].seen & 1ull << run)
			continue;
		for (other = 0; other < m->runs; other++) {
			if (!(m->role[role].seen & 1ull << other))
				continue;
			d = kind_difference(m, k, run, role, other, by);
			if (d < least) {
				least = d;
				best = role;
			}
		}
	}
	if (best == m->roles && m->roles == WM_ROLES)
		return SIZE_MAX;
	if (best == m->roles)
		m->roles++;
	return best;
}

static enum wm_status put_bytes(struct wm_model *m, const double *bytes,
				size_t role, size_t run, struct wm_err *err)
{
	size_t i;

	for (i = 0; i < m->parts * m->sites; i++) {
		double *to = bytes[i] > 0 ? cell_bytes(m, i, role) : NULL;

		if (bytes[i] > 0 && !to)
			return wm_no_memory(err, "the model");
		if (to)
			to[run] = bytes[i];
	}
	m->role[role].seen |= 1ull << run;
	return WM_OK;
}

static enum wm_status put_ends(struct wm_model *m, size_t run, double *one,
			       struct wm_err *err)
{
	size_t n = m->parts * m->sites, i;
	enum wm_status st = WM_OK;

	for (i = 0; i < m->samples && !st; i++) {
		struct wm_sample *s = &m->sample[i];

		if (s->run != run || end_of(s) == WM_ROLE_OTHERS)
			continue;
		s->role = end_of(s);
		memset(one, 0, n * sizeof(*one));
		add_held(one, m, s);
		st = put_bytes(m, one, s->role, run, err);
	}
	return st;
}

/* The kinds of a run become roles; samples have their kind as a role. */
static enum wm_status put_kinds(struct wm_model *m, size_t run,
				struct kind *kind, size_t kinds,
				enum likeness by, bool *full,
				struct wm_err *err)
{
	size_t role[KINDS + 1] = { 0 }, i, k;
	enum wm_status st = WM_OK;

	for (k = 0; k < kinds && !st; k++) {
		role[k] = role_of(m, &kind[k], run, by);
		if (role[k] == SIZE_MAX) {
			*full = true;
			return WM_OK;
		}
		m->role[role[k]].like = kind[k].like;
		st = put_bytes(m, kind[k].bytes, role[k], run, err);
	}
	for (i = 0; i < m->samples; i++) {
		struct wm_sample *s = &m->sample[i];

		if (s->run == run && end_of(s) == WM_ROLE_OTHERS)
			s->role = role[s->role];
	}
	return st;
}

static void forget_roles(struct wm_model *m)
{
	size_t i, k;

	for (i = 0; i < m->sites; i++)
		for (k = 0; k < m->parts * WM_ROLES; k++) {
			free(m->site[i].cell[k]);
			m->site[i].cell[k] = NULL;
		}
	memset(m->role, 0, sizeof(m->role));
	m->roles = WM_ROLE_OTHERS;
}

/* *@full: there are too many kinds of ranks, or they are chance. */
static enum wm_status try_roles(struct wm_model *m, enum likeness by,
				bool *full, struct wm_err *err)
{
	size_t n = m->parts * m->sites, order[WM_MODEL_RUNS], i, k;
	struct kind kind[KINDS + 1] = { { NULL, 0, 0 } };
	double *room = calloc((KINDS + 2) * n + 1, sizeof(*room));
	enum wm_status s = WM_OK;

	forget_roles(m);
	*full = false;
	if (!room)
		return wm_no_memory(err, "the model");
	for (k = 0; k <= KINDS; k++)
		kind[k].bytes = room + (k + 1) * n;
	order_runs(m, order);
	/* the largest run has most kinds */
	for (i = m->runs; i-- > 0 && !s && !*full;) {
		size_t kinds;

		for (k = 0; k <= KINDS; k++)
			kind[k].ranks = 0;
		s = put_ends(m, order[i], room, err);
		if (s)
			break;
		kinds = find_kinds(m, order[i], kind, by, room);
		if (kinds > KINDS)
			*full = true;
		else
			s = put_kinds(m, order[i], kind, kinds, by, full, err);
	}
	free(room);
	return s;
}

/* ---- ranks of one role that differ ---- */

/* The highest rank of a role beside their mean, as a site. */
static enum wm_status put_uneven(struct wm_model *m, struct wm_err *err)
{
	uint32_t site = wm_model_site(m, WM_SITE_UNEVEN, WM_SITE_UNEVEN);
	size_t i, k;
	uint32_t part;

	if (site == UINT32_MAX)
		return wm_no_memory(err, "the model");
	for (i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];

		for (part = 0; s->role >= WM_ROLE_OTHERS && part < m->parts;
		     part++) {
			size_t at = part * m->sites;
			double mean = 0, more, *to;

			for (k = 0; k < m->sites; k++)
				if (k != site)
					mean += role_bytes(m, at + k, s->role,
							   s->run);
			more = wm_sample_sum(s, part) - mean;
			if (more <= UNEVEN * mean)
				continue;
			to = cell_bytes(m, at + site, s->role);
			if (!to)
				return wm_no_memory(err, "the model");
			to[s->run] = fmax(to[s->run], more);
		}
	}
	return WM_OK;
}

/*
 * By how much the bytes of a site differ between ranks of one role and run,
 * relative to their mean there: standard deviations, pooled.
 */
static double scatter_of(const struct wm_model *m, size_t index,
			 const double *held, double *known)
{
	double squares = 0, free = 0;
	size_t i;

	for (i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];
		double mean = role_bytes(m, index, s->role, s->run);
		double ranks = (double)m->role[s->role].members[s->run];

		if (s->role < WM_ROLE_OTHERS || !(mean > 0))
			continue;
		squares += (held[i] / mean - 1) * (held[i] / mean - 1);
		free += 1 - 1 / ranks;
	}
	*known = free;
	return free > 0.5 ? sqrt(squares / free) : 0;
}

static enum wm_status find_scatter(struct wm_model *m, struct wm_err *err)
{
	double *held = calloc(m->samples * m->sites + 1, sizeof(*held));
	size_t part, i, k;

	if (!held)
		return wm_no_memory(err, "the model");
	for (part = 0; part < m->parts; part++) {
		memset(held, 0, m->samples * m->sites * sizeof(*held));
		for (i = 0; i < m->samples; i++)
			for (k = 0; k < m->sample[i].count; k++) {
				const struct wm_site_bytes *h =
					&m->sample[i].held[k];

				if (h->part == part)
					held[h->site * m->samples + i] +=
						h->bytes;
			}
		for (i = 0; i < m->sites; i++) {
			struct wm_model_cell **c =
				&m->site[i].cell[part * WM_ROLES];
			double known,
				scatter = scatter_of(m, part * m->sites + i,
						     held + i * m->samples,
						     &known);

			for (k = 0; k < m->roles; k++)
				if (c[k]) {
					c[k]->scatter = scatter;
					/* little is known of few ranks */
					c[k]->chance =
						scatter > 0 ?
							scatter *
								(1 +
								 FEW / known) :
							0;
				}
		}
	}
	free(held);
	return WM_OK;
}

static void name_roles(struct wm_model *m)
{
	static const char *const name[] = { "rank 0", "the last rank" };
	size_t i, k;

	for (i = 0; i < m->roles; i++) {
		struct wm_model_role *r = &m->role[i];

		if (i < WM_ROLE_OTHERS)
			snprintf(r->name, sizeof(r->name), "%s", name[i]);
		else if (m->roles == WM_ROLE_OTHERS + 1)
			snprintf(r->name, sizeof(r->name), "the other ranks");
		else
			snprintf(r->name, sizeof(r->name),
				 "ranks like %" PRIu64, r->like);
		for (k = 0; k < m->samples; k++)
			if (m->sample[k].role == i) {
				r->ranks++;
				r->members[m->sample[k].run]++;
			}
	}
}

enum wm_status wm_model_roles(struct wm_model *m, struct wm_err *err)
{
	enum wm_status s = find_timed(m, err);
	enum likeness by = BY_BYTES;
	bool full = true;

	/* where ranks differ by chance a role has the highest beside the mean */
	for (; full && by <= ALL && !s; by++)
		s = try_roles(m, by, &full, err);
	if (s)
		return s;
	name_roles(m);
	s = find_scatter(m, err);
	return s ? s : put_uneven(m, err);
}
