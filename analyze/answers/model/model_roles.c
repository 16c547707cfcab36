/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the sites, phases and ranks of a model, and finds the ranks with the
 * same role and the blocks that ranks have only by timing. */
#include "analyze/answers/model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/lib/base/vec.h"

#define ALIKE 0.02 /* ranks of one run are alike if fewer bytes differ */
#define SAME_KIND 0.05 /* the same for ranks of different runs */
#define TIMED_BYTES 1024 /* fewer bytes do not matter for predictions */
#define TIMED_SHARE 0.01 /* a larger part of a site is a difference */

void wm_model_release(struct wm_model *m)
{
	for (size_t i = 0; i < m->sites; i++)
		free(m->site[i].name);
	for (size_t i = 0; i < m->samples; i++)
		free(m->sample[i].held);
	free(m->cell);
	free(m->usual);
	free(m->site);
	free(m->sample);
	wm_keys_release(&m->paths);
	wm_keys_release(&m->parts);
	memset(m, 0, sizeof(*m));
}

/* Returns whether a path lies inside of MPI, by the names of its functions,
 * which may begin with the P of MPI's profiling interface. */
static bool is_inside_mpi(const char *path)
{
	bool inside = false;

	for (; path; path = strchr(path, ';')) {
		path += *path == ';';
		path += *path == 'P' || *path == 'p';
		inside |= !strncasecmp(path, "MPI_", 4) ||
			  !strncasecmp(path, "MPIR_", 5) ||
			  !strncasecmp(path, "MPID", 4);
	}
	return inside;
}

/* Returns the site of @path, new or not, or UINT32_MAX if memory is short. */
static uint32_t find_site(struct wm_model *m, uint32_t part, const char *path,
			  const char *name)
{
	bool start = *path == '(' || strcasestr(path, ";MPI_Init") ||
		     strcasestr(path, ";PMPI_Init");
	bool mpi = !start && is_inside_mpi(path);
	struct wm_model_site *s;
	uint32_t number;
	char *key;

	if (asprintf(&key, "%c%s", 'A' + (int)part, mpi ? name : path) < 0)
		return UINT32_MAX;
	number = wm_keys_text(&m->paths, key);
	free(key);
	if (m->paths.failed || number < m->sites)
		return m->paths.failed ? UINT32_MAX : number;
	s = WM_MORE(m->site, m->site_cap, m->sites);
	if (!s)
		return UINT32_MAX;
	m->sites++;
	m->mpich |= strstr(path, "MPID") != NULL;
	s->part = part;
	s->path = m->paths.item[number].key + 1;
	s->name = strdup(name);
	s->start = start;
	s->mpi = mpi;
	return s->name ? number : UINT32_MAX;
}

/* Makes room for sites up to @site, or returns false if memory is short. */
static bool has_site(struct wm_sample *s, size_t site)
{
	if (!WM_ROOM(s->held, s->cap, site + 1))
		return false;
	while (s->count <= site)
		s->held[s->count++] = 0;
	return true;
}

bool wm_model_add(struct wm_model *m, uint32_t part, const char *path,
		  const char *name, double bytes, bool doubles)
{
	struct wm_sample *s = &m->sample[m->samples - 1];
	uint32_t site = find_site(m, part, path, name);

	if (site == UINT32_MAX || !has_site(s, site))
		return false;
	s->held[site] += bytes;
	m->site[site].seen |= 1ull << s->run;
	m->site[site].doubles |= doubles;
	return true;
}

uint32_t wm_model_part(struct wm_model *m, const char *name)
{
	uint32_t number = wm_keys_text(&m->parts, name ? name : "");

	return m->parts.failed || number >= WM_MODEL_PARTS ? UINT32_MAX :
							     number;
}

size_t wm_model_run(struct wm_model *m, struct wm_point x)
{
	const struct wm_point *most = &m->point[m->largest];
	size_t i;

	for (i = 0; i < m->runs; i++)
		if (m->point[i].n == x.n && m->point[i].p == x.p)
			return i;
	if (x.n > most->n || (x.n == most->n && x.p > most->p))
		m->largest = i;
	m->point[i] = x;
	wm_design_make(&m->design, m->point, NULL, ++m->runs);
	return i;
}

struct wm_sample *wm_model_sample(struct wm_model *m, size_t run, uint64_t rank)
{
	struct wm_sample *s = WM_MORE(m->sample, m->sample_cap, m->samples);

	if (!s)
		return NULL;
	s->run = run;
	s->rank = rank;
	if (!m->samples || s[-1].run != run)
		m->first[run] = m->samples;
	m->samples++;
	return s;
}

/* Returns the role of the first or last rank; other ranks get kinds later. */
static size_t end_of(const struct wm_model *m, const struct wm_sample *s)
{
	return !s->rank					 ? WM_ROLE_FIRST :
	       (double)s->rank + 1 == m->point[s->run].n ? WM_ROLE_LAST :
							   WM_ROLE_OTHERS;
}

/* Returns the bytes at a site that each rank has in each job of several ranks,
 * if further bytes depend on timing, else INFINITY.  Bytes depend on timing if,
 * in one run, some ranks between the first and the last have more than others,
 * or if the first or the last rank has the site only in some of these runs. */
static double find_sure(const struct wm_model *m, size_t site)
{
	/* by run and, behind the runs, by end over all runs */
	double low[WM_MODEL_RUNS + WM_ROLE_OTHERS], least = INFINITY;
	double high[WM_MODEL_RUNS + WM_ROLE_OTHERS] = { 0 };
	bool timed = false;

	for (size_t i = 0; i < m->runs + WM_ROLE_OTHERS; i++)
		low[i] = INFINITY;
	for (size_t i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];
		size_t end = end_of(m, s);
		size_t at = end < WM_ROLE_OTHERS ? m->runs + end : s->run;

		if (m->point[s->run].n <= 1)
			continue;
		least = fmin(least, s->held[site]);
		low[at] = fmin(low[at], s->held[site]);
		high[at] = fmax(high[at], s->held[site]);
	}
	for (size_t i = 0; i < m->runs + WM_ROLE_OTHERS; i++)
		timed |= (i < m->runs || !(low[i] > 0)) &&
			 high[i] - low[i] >
				 fmax(TIMED_SHARE * high[i], TIMED_BYTES);
	return timed ? least : INFINITY;
}

static void take_out_timed(struct wm_model *m)
{
	double most = 0;

	for (size_t k = 0; k < m->sites; k++)
		m->site[k].sure = m->site[k].mpi ? find_sure(m, k) : INFINITY;
	for (size_t i = 0; i < m->samples; i++) {
		double sum[WM_MODEL_PARTS] = { 0 };

		for (size_t k = 0; k < m->sites; k++) {
			const struct wm_model_site *site = &m->site[k];
			double *held = &m->sample[i].held[k];
			double more = fmax(*held - site->sure, 0);

			*held -= more;
			sum[site->part] += more;
			m->timed = fmax(m->timed, sum[site->part]);
			if (more > most)
				m->timed_name = site->name;
			most = fmax(most, more);
		}
	}
}

static bool is_less(const struct wm_point *a, const struct wm_point *b)
{
	return a->n != b->n ? a->n < b->n : a->p < b->p;
}

/* Finds the bytes of rank 0 at each site of each run or, where it has none, the
 * most of any rank. */
static bool find_usual(struct wm_model *m)
{
	size_t n = m->runs * m->sites;

	m->usual = calloc(n ? n : 1, sizeof(*m->usual));
	for (size_t i = 0; i < m->samples && m->usual; i++) {
		const struct wm_sample *s = &m->sample[i];
		const double *first = m->sample[m->first[s->run]].held;
		double *usual = &m->usual[s->run * m->sites];

		for (size_t k = 0; k < m->sites; k++)
			usual[k] = first[k] > 0 ? first[k] :
						  fmax(usual[k], s->held[k]);
	}
	return m->usual;
}

/* Returns the share of the bytes of @a in which @b differs.  Bytes of different
 * runs are compared as multiples of what is usual at the site in the run. */
static double difference(const struct wm_model *m, const struct wm_sample *a,
			 const struct wm_sample *b)
{
	const double *here = &m->usual[a->run * m->sites];
	const double *there = &m->usual[b->run * m->sites];
	double sum = 0, apart = 0;

	for (size_t i = 0; i < m->sites; i++) {
		double v = b->held[i];

		sum += a->held[i];
		if (a->run != b->run) {
			if (!(here[i] > 0) || !(there[i] > 0))
				continue;
			v *= here[i] / there[i];
		}
		apart += fabs(a->held[i] - v);
	}
	return apart > 0 ? apart / sum : 0;
}

/* Returns the kind that a sample resembles most; WM_ROLES: no room for more.
 * @by_rank: kinds of different runs are the same if their lowest ranks are. */
static size_t kind_of(struct wm_model *m, size_t sample, bool by_rank)
{
	const struct wm_sample *s = &m->sample[sample], *leader;
	size_t best = m->roles, role;
	double least = INFINITY, d;

	for (role = WM_ROLE_OTHERS; role < m->roles; role++) {
		leader = &m->sample[m->role[role].leader];
		if (leader->run != s->run && by_rank)
			d = leader->rank == s->rank ? 1 : INFINITY;
		else
			d = difference(m, s, leader);
		if (d >= least || d > (leader->run == s->run ? ALIKE :
				       by_rank		     ? 1 :
							       SAME_KIND))
			continue;
		least = d;
		best = role;
	}
	if (best == WM_ROLES)
		return best;
	if (best == m->roles || least == 1)
		m->role[best].leader = sample;
	if (best == m->roles)
		snprintf(m->role[m->roles++].name, sizeof(m->role->name),
			 "ranks like %" PRIu64, s->rank);
	return best;
}

/* Returns the run after @run by number of ranks and by P, or the first if @run
 * is SIZE_MAX; SIZE_MAX: none is left. */
static size_t next_run(const struct wm_model *m, size_t run)
{
	size_t next = SIZE_MAX;

	for (size_t i = 0; i < m->runs; i++)
		if ((run == SIZE_MAX ||
		     is_less(&m->point[run], &m->point[i])) &&
		    (next == SIZE_MAX ||
		     is_less(&m->point[i], &m->point[next])))
			next = i;
	return next;
}

/*
 * Puts the ranks between the first and the last into kinds.  Returns false if
 * there are too many kinds, if almost every rank of the largest run would be a
 * kind of its own, as such ranks differ by chance, or if kinds of several runs
 * do not match: if no run has all kinds, or, @by_rank, not each run.
 */
static bool find_kinds(struct wm_model *m, bool by_rank)
{
	size_t others = 0, most = 0, kinds = 0, i, run;

	m->roles = WM_ROLE_OTHERS;
	for (run = next_run(m, SIZE_MAX); run != SIZE_MAX;
	     run = next_run(m, run)) {
		uint64_t seen = 0;

		for (i = 0, others = 0; i < m->samples; i++) {
			struct wm_sample *s = &m->sample[i];

			if (s->run != run)
				continue;
			s->role = end_of(m, s);
			if (s->role == WM_ROLE_OTHERS)
				s->role = kind_of(m, i, by_rank);
			if (s->role == WM_ROLES)
				return false;
			others += s->role >= WM_ROLE_OTHERS;
			seen |= 1ull << s->role;
		}
		kinds = (size_t)__builtin_popcountll(seen >> WM_ROLE_OTHERS);
		if (by_rank && most && kinds != most)
			return false;
		most = kinds > most ? kinds : most;
	}
	/* others and kinds are those of the last run, the largest */
	return m->roles - WM_ROLE_OTHERS == most &&
	       (kinds < 2 || others >= 2 * kinds);
}

static void find_roles(struct wm_model *m)
{
	static const char *const name[] = { "rank 0", "the last rank",
					    "the other ranks" };
	bool kinds = find_kinds(m, false) || find_kinds(m, true);

	if (!kinds)
		m->roles = WM_ROLE_OTHERS + 1;
	for (size_t i = 0; i < m->samples; i++) {
		struct wm_sample *s = &m->sample[i];

		if (!kinds)
			s->role = end_of(m, s);
		m->role[s->role].seen |= 1ull << s->run;
	}
	for (size_t i = 0; i <= WM_ROLE_OTHERS; i++)
		if (i < WM_ROLE_OTHERS || m->roles == i + 1)
			snprintf(m->role[i].name, sizeof(m->role[i].name), "%s",
				 name[i]);
}

/* Finds the pooled standard deviation of the bytes of a site, relative to their
 * mean, between the ranks of one role and run that have the site. */
static void find_scatter(struct wm_model *m, size_t site)
{
	/* by role and run: ranks with the site, sum, sum of squares */
	double sum[WM_ROLES][WM_MODEL_RUNS][3] = { { { 0 } } };
	double squares = 0, known = 0;

	for (size_t i = 0; i < m->samples; i++) {
		const struct wm_sample *s = &m->sample[i];
		double v = s->held[site], *to = sum[s->role][s->run];

		to[0] += v > 0;
		to[1] += v;
		to[2] += v * v;
	}
	for (size_t i = WM_ROLE_OTHERS; i < m->roles; i++)
		for (size_t k = 0; k < m->runs; k++) {
			const double *of = sum[i][k];
			double n = of[0], mean = of[1] / n;

			if (n < 2)
				continue;
			squares += fmax(of[2] / mean / mean - n, 0);
			known += n - 1;
		}
	m->site[site].scatter = known > 0 ? sqrt(squares / known) : 0;
}

enum wm_status wm_model_roles(struct wm_model *m, struct wm_err *err)
{
	for (size_t i = 0; i < m->samples && m->sites; i++)
		if (!has_site(&m->sample[i], m->sites - 1))
			return wm_no_memory(err, "the model");
	take_out_timed(m);
	if (!find_usual(m))
		return wm_no_memory(err, "the model");
	find_roles(m);
	m->cell = calloc(m->sites * m->roles + 1, sizeof(*m->cell));
	for (size_t i = 0; i < m->sites; i++)
		find_scatter(m, i);
	return m->cell ? WM_OK : wm_no_memory(err, "the model");
}
