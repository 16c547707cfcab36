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
#define UNEVEN 1e-3 /* of the bytes of a role */

/* Ranks of one kind are alike in this. */
enum likeness {
	BY_BYTES, /* they have as much of each site */
	BY_SITES, /* they have the same sites */
	ALL, /* nothing: all are of one kind */
};

/* The samples while roles are made of them. */
struct ranks {
	struct wm_model *m;
	size_t cells; /* parts * sites */
	double *held; /* [sample * cells + part * sites + site] */
	size_t *group; /* of sites: the first one of its name inside of MPI */
	/* samples: the first one of a run, and that a role is known by there;
	 * SIZE_MAX: none */
	size_t first[WM_MODEL_RUNS];
	size_t leader[WM_ROLES][WM_MODEL_RUNS];
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
static double difference(const struct ranks *r, size_t a, size_t b,
			 enum likeness by)
{
	const double *x = row_of(r, a), *y = row_of(r, b);
	size_t one = r->m->sample[a].run, other = r->m->sample[b].run, i;
	const double *here = row_of(r, r->first[one]);
	const double *there = row_of(r, r->first[other]);
	double sum = 0, apart = 0;

	for (i = 0; i < r->cells; i++) {
		double v = y[i];

		sum += x[i];
		if (by == BY_SITES && x[i] > 0 && v > 0)
			continue;
		if (by == BY_BYTES && one != other) {
			if (!(here[i] > 0) || !(there[i] > 0))
				continue;
			v *= here[i] / there[i];
		}
		apart += fabs(x[i] - v);
	}
	return apart > 0 ? apart / sum : 0;
}

/* The role that a sample is most like, a new one where it is like none. */
static size_t role_of(const struct ranks *r, size_t sample, enum likeness by)
{
	size_t run = r->m->sample[sample].run, role, k;
	size_t best = by == ALL ? WM_ROLE_OTHERS : r->m->roles;
	double least = INFINITY, d;

	for (role = WM_ROLE_OTHERS; role < r->m->roles && by != ALL; role++) {
		bool here = r->leader[role][run] != SIZE_MAX;

		for (k = 0; k < r->m->runs; k++) {
			if (r->leader[role][k] == SIZE_MAX ||
			    (here && k != run))
				continue;
			d = difference(r, sample, r->leader[role][k], by);
			if (d > (here ? ALIKE : SAME_KIND) || d >= least)
				continue;
			least = d;
			best = role;
		}
	}
	return best;
}

static void add_member(struct ranks *r, size_t sample, size_t role)
{
	struct wm_sample *s = &r->m->sample[sample];
	struct wm_model_role *to = &r->m->role[role];

	s->role = role;
	if (r->leader[role][s->run] == SIZE_MAX)
		r->leader[role][s->run] = sample;
	if (role >= r->m->roles)
		r->m->roles = role + 1;
	to->like = s->rank;
	to->seen |= 1ull << s->run;
	to->members[s->run]++;
}

/* The run with most ranks of those before @run in that order. */
static size_t next_run(const struct wm_model *m, uint64_t done)
{
	size_t best = SIZE_MAX, i;

	for (i = 0; i < m->runs; i++)
		if (!(done & 1ull << i) &&
		    (best == SIZE_MAX || m->point[i].n > m->point[best].n))
			best = i;
	return best;
}

/* Put all samples into roles; false: there are too many, or, where ranks of the
 * largest run have about a kind each, they differ by chance. */
static bool try_roles(struct ranks *r, enum likeness by)
{
	struct wm_model *m = r->m;
	uint64_t done = 0;
	size_t i, run;

	memset(m->role, 0, sizeof(m->role));
	memset(r->leader, 0xff, sizeof(r->leader));
	m->roles = WM_ROLE_OTHERS;
	for (; (run = next_run(m, done)) != SIZE_MAX; done |= 1ull << run) {
		size_t others = 0;

		for (i = 0; i < m->samples; i++) {
			size_t role = end_of(&m->sample[i]);

			if (m->sample[i].run != run)
				continue;
			others += role == WM_ROLE_OTHERS;
			if (role == WM_ROLE_OTHERS)
				role = role_of(r, i, by);
			if (role == WM_ROLES)
				return false;
			add_member(r, i, role);
		}
		if (!done && by == BY_BYTES && m->roles > WM_ROLE_OTHERS + 1 &&
		    others < 2 * (m->roles - WM_ROLE_OTHERS))
			return false;
	}
	return true;
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

/* The mean of the ranks of each role and run; of equal ranks it is exact. */
static enum wm_status put_means(struct ranks *r, struct wm_err *err)
{
	size_t i, k, role, run;

	for (i = 0; i < r->m->samples; i++)
		for (k = 0; k < r->cells; k++) {
			const struct wm_sample *s = &r->m->sample[i];
			struct wm_model_cell **c = cell_at(r, k, s->role);

			if (!(row_of(r, i)[k] > 0))
				continue;
			if (!*c && !(*c = calloc(1, sizeof(**c))))
				return wm_no_memory(err, "the model");
			(*c)->bytes[s->run] += row_of(r, i)[k];
		}
	for (k = 0; k < r->cells; k++)
		for (role = 0; role < r->m->roles; role++) {
			const size_t *ranks = r->m->role[role].members;
			struct wm_model_cell *c = *cell_at(r, k, role);

			for (run = 0; c && run < r->m->runs; run++)
				c->bytes[run] /= fmax((double)ranks[run], 1);
		}
	return WM_OK;
}

/*
 * By how much the bytes of a site differ between ranks of one role and run,
 * relative to their mean there: standard deviations, pooled.
 */
static void find_scatter(struct ranks *r, size_t index)
{
	double squares = 0, known = 0, d;
	size_t i;

	for (i = 0; i < r->m->samples; i++) {
		const struct wm_sample *s = &r->m->sample[i];
		const struct wm_model_cell *c = *cell_at(r, index, s->role);

		if (s->role < WM_ROLE_OTHERS || !c || !(c->bytes[s->run] > 0))
			continue;
		d = row_of(r, i)[index] / c->bytes[s->run] - 1;
		squares += d * d;
		known += 1 - 1 / (double)r->m->role[s->role].members[s->run];
	}
	for (i = 0; i < r->m->roles && known > 0.5; i++)
		if (*cell_at(r, index, i))
			(*cell_at(r, index, i))->scatter = sqrt(squares /
								known);
}

/* The highest rank of a role beside their mean, as a site. */
static enum wm_status put_uneven(struct ranks *r, size_t uneven,
				 struct wm_err *err)
{
	size_t sites = r->m->sites, i, k, part;

	for (i = 0; i < r->m->samples; i++)
		for (part = 0; part < r->m->parts; part++) {
			const struct wm_sample *s = &r->m->sample[i];
			struct wm_model_cell **c;
			double mean = 0, more = 0;

			for (k = part * sites; k < (part + 1) * sites; k++) {
				c = cell_at(r, k, s->role);
				more += row_of(r, i)[k];
				mean += *c && k % sites != uneven ?
						(*c)->bytes[s->run] :
						0;
			}
			more -= mean;
			c = cell_at(r, part * sites + uneven, s->role);
			if (s->role < WM_ROLE_OTHERS || more <= UNEVEN * mean)
				continue;
			if (!*c && !(*c = calloc(1, sizeof(**c))))
				return wm_no_memory(err, "the model");
			(*c)->bytes[s->run] = fmax((*c)->bytes[s->run], more);
		}
	return WM_OK;
}

enum wm_status wm_model_roles(struct wm_model *m, struct wm_err *err)
{
	uint32_t uneven = wm_model_site(m, WM_SITE_UNEVEN, WM_SITE_UNEVEN);
	enum likeness by = BY_BYTES;
	struct ranks r = { 0 };
	enum wm_status s;
	size_t i;

	if (uneven == UINT32_MAX)
		return wm_no_memory(err, "the model");
	s = make_ranks(&r, m, err);
	if (!s)
		s = find_timed(&r, err);
	/* where ranks differ by chance a role has the highest beside the mean */
	while (!s && !try_roles(&r, by))
		by++;
	if (!s)
		s = put_means(&r, err);
	for (i = 0; i < r.cells && !s; i++)
		find_scatter(&r, i);
	if (!s)
		s = put_uneven(&r, uneven, err);
	name_roles(m);
	free(r.held);
	free(r.group);
	return s;
}
