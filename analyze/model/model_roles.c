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
#define SAME_KIND 0.05 /* of ranks of different runs */
#define TIMED_BYTES 1024 /* less moves no prediction */
#define TIMED_SHARE 0.01 /* of a site: more is a difference */

/* The samples while roles are made of them. */
struct ranks {
	struct wm_model *m;
	size_t cells; /* parts * sites */
	double *held; /* [sample * cells + part * sites + site] */
	size_t *group; /* of sites: the first one of its name inside of MPI */
	/* samples: the first one of a run, and of a role */
	size_t first[WM_MODEL_RUNS], leader[WM_ROLES];
};

static double *row_of(const struct ranks *r, size_t sample)
{
	return r->held + sample * r->cells;
}

/* The role of the first and of the last rank; the others have kinds. */
static size_t end_of(const struct wm_sample *s)
{
	return !s->rank		       ? WM_ROLE_FIRST :
	       s->rank + 1 == s->ranks ? WM_ROLE_LAST :
					 WM_ROLE_OTHERS;
}

static enum wm_status make_ranks(struct ranks *r, struct wm_model *m,
				 struct wm_err *err)
{
	size_t i, k;

	r->m = m;
	r->cells = m->parts * m->sites;
	r->held = calloc(m->samples * r->cells + 1, sizeof(*r->held));
	r->group = calloc(m->sites + 1, sizeof(*r->group));
	m->cell = calloc(r->cells * WM_ROLES, sizeof(*m->cell));
	if (!r->held || !r->group || !m->cell)
		return wm_no_memory(err, "the model");
	for (i = 0; i < m->runs; i++)
		r->first[i] = SIZE_MAX;
	for (i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];

		if (r->first[s->run] == SIZE_MAX)
			r->first[s->run] = i;
		for (k = 0; k < s->count; k++)
			row_of(r, i)[s->held[k].part * m->sites +
				     s->held[k].site] += s->held[k].bytes;
	}
	for (i = 0; i < m->sites; i++) {
		const struct wm_model_site *s = &m->site[i];

		for (k = 0; k < i; k++)
			if (m->site[k].place == WM_PLACE_MPI &&
			    strcmp(m->site[k].name, s->name) == 0)
				break;
		r->group[i] = s->place == WM_PLACE_MPI ? k : SIZE_MAX;
	}
	return WM_OK;
}

/* ---- blocks that ranks have by timing ---- */

/* The bytes of a sample in a part, at the sites of @group. */
static double sum_group(const struct ranks *r, size_t sample, size_t part,
			size_t group)
{
	const double *held = row_of(r, sample) + part * r->m->sites;
	double sum = 0;
	size_t i;

	for (i = group; i < r->m->sites; i++)
		sum += r->group[i] == group ? held[i] : 0;
	return sum;
}

/*
 * Whether ranks have the sites of @group by timing alone: of one run some of
 * the ranks between the first and the last have more than others, or the first
 * or the last has them in some runs of several ranks.  *@least: what each rank
 * of several has of them in any case.
 */
static bool is_timed(const struct ranks *r, size_t part, size_t group,
		     double *least)
{
	/* of the runs, and behind them of the ends in all runs */
	double low[WM_MODEL_RUNS + WM_ROLE_OTHERS], v;
	double high[WM_MODEL_RUNS + WM_ROLE_OTHERS] = { 0 };
	size_t i, runs = r->m->runs;
	bool timed = false;

	*least = INFINITY;
	for (i = 0; i < runs + WM_ROLE_OTHERS; i++)
		low[i] = INFINITY;
	for (i = 0; i < r->m->samples; i++) {
		const struct wm_sample *s = &r->m->sample[i];
		size_t end = end_of(s);
		size_t at = end < WM_ROLE_OTHERS ? runs + end : s->run;

		if (s->ranks <= 1)
			continue;
		v = sum_group(r, i, part, group);
		*least = fmin(*least, v);
		low[at] = fmin(low[at], v);
		high[at] = fmax(high[at], v);
	}
	for (i = 0; i < runs + WM_ROLE_OTHERS; i++)
		timed |= (i < runs || !(low[i] > 0)) &&
			 high[i] - low[i] >
				 fmax(TIMED_SHARE * high[i], TIMED_BYTES);
	return timed;
}

/* Leave what each rank has in any case, as of one site; the rest is timed. */
static void take_out(struct ranks *r, size_t part, size_t group, double least,
		     double *timed)
{
	struct wm_model *m = r->m;
	size_t i, k;

	for (k = group; k < m->sites; k++)
		m->site[k].timed |= r->group[k] == group;
	for (i = 0; i < m->samples; i++) {
		double *held = row_of(r, i) + part * m->sites;
		double had = sum_group(r, i, part, group);

		for (k = group; k < m->sites; k++)
			held[k] = r->group[k] == group ? 0 : held[k];
		held[group] = fmin(had, least);
		timed[i] += had - held[group];
		if (had - held[group] > m->timed) {
			m->timed = had - held[group];
			m->timed_name = m->site[group].name;
		}
	}
}

static enum wm_status find_timed(struct ranks *r, struct wm_err *err)
{
	struct wm_model *m = r->m;
	double *timed = calloc(m->parts * m->samples + 1, sizeof(*timed));
	size_t part, i;
	double least;

	if (!timed)
		return wm_no_memory(err, "the model");
	for (part = 0; part < m->parts; part++)
		for (i = 0; i < m->sites; i++)
			if (r->group[i] == i && is_timed(r, part, i, &least))
				take_out(r, part, i, least,
					 timed + part * m->samples);
	for (i = 0; i < m->parts * m->samples; i++)
		m->timed = fmax(m->timed, timed[i]);
	free(timed);
	return WM_OK;
}

/* ---- kinds of ranks ---- */

/*
 * In how many of the bytes two samples differ.  Of different runs bytes are
 * compared as multiples of what rank 0 has at the same site.
 */
static double difference(const struct ranks *r, size_t a, size_t b)
{
	const double *x = row_of(r, a), *y = row_of(r, b);
	size_t one = r->m->sample[a].run, other = r->m->sample[b].run, i;
	const double *here = row_of(r, r->first[one]);
	const double *there = row_of(r, r->first[other]);
	double sum = 0, apart = 0;

	for (i = 0; i < r->cells; i++) {
		double v = y[i];

		sum += x[i];
		if (one != other) {
			if (!(here[i] > 0) || !(there[i] > 0))
				continue;
			v *= here[i] / there[i];
		}
		apart += fabs(x[i] - v);
	}
	return apart > 0 ? apart / sum : 0;
}

/* The kind that a sample is most like; WM_ROLES: a new one is one too many. */
static size_t kind_of(struct ranks *r, size_t sample)
{
	struct wm_model *m = r->m;
	size_t best = m->roles, role;
	double least = INFINITY;

	for (role = WM_ROLE_OTHERS; role < m->roles; role++) {
		size_t leader = r->leader[role];
		double d = difference(r, sample, leader);

		if (d > (m->sample[leader].run == m->sample[sample].run ?
				 ALIKE :
				 SAME_KIND) ||
		    d >= least)
			continue;
		least = d;
		best = role;
	}
	if (best == m->roles && best < WM_ROLES)
		r->leader[m->roles++] = sample;
	return best;
}

/* Put the ranks between the first and the last into kinds; false: there are too
 * many, or, where ranks of the largest run have about a kind each, they differ
 * by chance. */
static bool find_kinds(struct ranks *r)
{
	struct wm_model *m = r->m;
	size_t largest = wm_model_largest(m), others = 0, kinds = 0, i;
	uint64_t seen = 0;

	m->roles = WM_ROLE_OTHERS;
	for (i = 0; i < m->samples; i++) {
		struct wm_sample *s = &m->sample[i];

		s->role = end_of(s);
		if (s->role == WM_ROLE_OTHERS)
			s->role = kind_of(r, i);
		if (s->role == WM_ROLES)
			return false;
		if (s->run != largest || s->role < WM_ROLE_OTHERS)
			continue;
		others++;
		kinds += !(seen & 1ull << s->role);
		seen |= 1ull << s->role;
	}
	return kinds < 2 || others >= 2 * kinds;
}

static void put_into_roles(struct ranks *r)
{
	struct wm_model *m = r->m;
	bool kinds = find_kinds(r);
	size_t i;

	if (!kinds)
		m->roles = WM_ROLE_OTHERS + 1;
	for (i = 0; i < m->samples; i++) {
		struct wm_sample *s = &m->sample[i];
		struct wm_model_role *role;

		if (!kinds)
			s->role = end_of(s);
		role = &m->role[s->role];
		role->like = s->rank;
		role->seen |= 1ull << s->run;
	}
}

static void name_roles(struct wm_model *m)
{
	static const char *const name[] = { "rank 0", "the last rank",
					    "the other ranks" };
	size_t i;

	for (i = 0; i < m->roles; i++)
		if (i < WM_ROLE_OTHERS || m->roles == WM_ROLE_OTHERS + 1)
			snprintf(m->role[i].name, sizeof(m->role[i].name), "%s",
				 name[i]);
		else
			snprintf(m->role[i].name, sizeof(m->role[i].name),
				 "ranks like %" PRIu64, m->role[i].like);
}

/* ---- what ranks of a role hold, and how they differ ---- */

static struct wm_model_cell **cell_at(const struct ranks *r, size_t index,
				      size_t role)
{
	return &r->m->cell[index * WM_ROLES + role];
}

/* The bytes of a role in a run are those of its highest rank there. */
static enum wm_status put_highest(struct ranks *r, size_t part,
				  struct wm_err *err)
{
	double most[WM_ROLES][WM_MODEL_RUNS] = { { 0 } };
	size_t sites = r->m->sites, i, k;

	for (i = 0; i < r->m->samples; i++) {
		const struct wm_sample *s = &r->m->sample[i];
		const double *held = row_of(r, i) + part * sites;
		double sum = 0;

		for (k = 0; k < sites; k++)
			sum += held[k];
		if (sum <= most[s->role][s->run])
			continue;
		most[s->role][s->run] = sum;
		for (k = 0; k < sites; k++) {
			struct wm_model_cell **c = cell_at(r, part * sites + k,
							   s->role);

			if (!*c && held[k] > 0 &&
			    !(*c = calloc(1, sizeof(**c))))
				return wm_no_memory(err, "the model");
			if (*c)
				(*c)->bytes[s->run] = held[k];
		}
	}
	return WM_OK;
}

/*
 * By how much the bytes of a site differ between ranks of one role and run,
 * relative to their mean there: standard deviations, pooled.
 */
static void find_scatter(struct ranks *r, size_t index)
{
	/* of a role and run: how many have it, their sum, and that of squares */
	double sum[WM_ROLES][WM_MODEL_RUNS][3] = { { { 0 } } };
	double squares = 0, known = 0;
	size_t i, k;

	for (i = 0; i < r->m->samples; i++) {
		const struct wm_sample *s = &r->m->sample[i];
		double v = row_of(r, i)[index], *to = sum[s->role][s->run];

		to[0] += v > 0;
		to[1] += v;
		to[2] += v * v;
	}
	for (i = WM_ROLE_OTHERS; i < r->m->roles; i++)
		for (k = 0; k < r->m->runs; k++) {
			const double *of = sum[i][k];

			if (of[0] < 2)
				continue;
			squares += fmax(of[0] * of[0] * of[2] / of[1] / of[1] -
						of[0],
					0);
			known += of[0] - 1;
		}
	for (i = 0; i < r->m->roles && known > 0; i++)
		if (*cell_at(r, index, i))
			(*cell_at(r, index, i))->scatter = sqrt(squares /
								known);
}

enum wm_status wm_model_roles(struct wm_model *m, struct wm_err *err)
{
	struct ranks r = { 0 };
	enum wm_status s = make_ranks(&r, m, err);
	size_t i;

	if (!s)
		s = find_timed(&r, err);
	if (!s)
		put_into_roles(&r);
	for (i = 0; i < m->parts && !s; i++)
		s = put_highest(&r, i, err);
	for (i = 0; i < r.cells && !s; i++)
		find_scatter(&r, i);
	name_roles(m);
	free(r.held);
	free(r.group);
	return s;
}
