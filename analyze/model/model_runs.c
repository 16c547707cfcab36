/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/plain.h"
#include "analyze/base/vec.h"
#include "analyze/job/analysis.h"
#include "analyze/job/outside.h"
#include "analyze/queries/profile.h"
#include "analyze/queries/provenance.h"
#include "analyze/report/exit.h"
#include "wm/census_format.h"

#define PHASE_MISS 0.001 /* of the peak, outside of common phases */
#define MOST_PARTS 63
#define COMMON 0.5 /* of the bytes: else they are different programs */

static __attribute__((format(printf, 3, 4))) enum wm_status
add_note(struct wm_model_runs *r, struct wm_err *err, const char *fmt, ...)
{
	char **note = WM_MORE(r->note, r->note_cap, r->notes);
	va_list ap;
	int n;

	if (!note)
		return wm_no_memory(err, "the model");
	va_start(ap, fmt);
	n = vasprintf(note, fmt, ap);
	va_end(ap);
	if (n < 0)
		return wm_no_memory(err, "the model");
	r->notes++;
	return WM_OK;
}

void wm_model_runs_release(struct wm_model_runs *r)
{
	size_t i;

	for (i = 0; i < r->jobs; i++) {
		free(r->job[i].path);
		free(r->job[i].program);
	}
	wm_model_release(&r->model);
	for (i = 0; i < r->notes; i++)
		free(r->note[i]);
	free(r->note);
	wm_model_args_release(&r->args);
	memset(r, 0, sizeof(*r));
}

/* ---- one run ---- */

/* What @use holds, and static memory, to a sample. */
static enum wm_status add_sites(struct wm_model_runs *r, struct wm_sample *s,
				uint32_t part, const struct wm_analysis *a,
				const struct wm_use *use, struct wm_err *err)
{
	struct wm_model *m = &r->model;
	struct wm_profile p;
	enum wm_status st;
	size_t i;

	if (part == UINT32_MAX)
		return wm_no_memory(err, "the model");
	st = r->names ? wm_profile_make(&p, a, use, err) :
			wm_profile_make_by_line(&p, a, use, err);
	if (st)
		return st;
	m->part[part].seen |= 1ull << s->run;
	for (i = 0; i < p.count && !st; i++) {
		const struct wm_profile_row *row = &p.row[i];

		if (row->use.peak_bytes)
			st = wm_sample_add(s, part,
					   wm_model_site(m, row->path,
							 row->site),
					   (double)row->use.peak_bytes, err);
	}
	wm_profile_release(&p);
	return st ? st :
		    wm_sample_add(s, part,
				  wm_model_site(m, WM_SITE_STATIC,
						WM_SITE_STATIC),
				  r->job[s->run].static_bytes, err);
}

/* Rank @e of a run: what it held at its peak (part 0), and in its phases. */
static enum wm_status take_rank(struct wm_model_runs *r, size_t run,
				const struct wm_analysis *a,
				const struct wm_each *e, struct wm_err *err)
{
	const struct wm_rank *rank = &a->ranks[e->rank];
	const struct wm_annotations *n = e->rank == a->chosen ?
						 &a->annotations :
						 &rank->annotations;
	struct wm_sample *s = wm_model_sample(&r->model, run, rank->rank,
					      a->job_size);
	struct wm_use *use = calloc(a->paths.path_count + 1, sizeof(*use));
	enum wm_status st = s && use ? WM_OK : wm_no_memory(err, "the model");
	size_t i, k;

	for (k = 0; k < e->count && !st; k++)
		wm_use_add(&use[e->number[k]], &rank->use[k]);
	if (!st)
		st = add_sites(r, s, 0, a, use, err);
	for (i = 0; n->phase_count > 1 && i < n->phase_count && !st; i++) {
		const struct wm_phase *f = &n->phase[i];
		uint32_t part;

		if (!f->held || r->model.parts > MOST_PARTS)
			continue;
		memset(use, 0, a->paths.path_count * sizeof(*use));
		for (k = 0; k < f->held_count && k < e->count; k++) {
			use[e->number[k]].peak_bytes += f->held[k];
			use[e->number[k]].peak_blocks += f->held[k] > 0;
		}
		/* part 0 is called NULL, as is what is outside of phases */
		part = wm_model_part(&r->model, f->name ? f->name : "");
		st = add_sites(r, s, part, a, use, err);
	}
	free(use);
	return st;
}

static double peak_of(const struct wm_rank *r, const struct wm_model_job *job)
{
	return (double)r->peak_bytes + job->static_bytes;
}

static enum wm_status take_peaks(struct wm_model_runs *r, size_t i,
				 const struct wm_analysis *a,
				 struct wm_err *err)
{
	struct wm_model_job *job = &r->job[i];
	const struct wm_census *c = wm_analysis_census(a, a->max);
	enum wm_status s = WM_OK;
	size_t k;

	job->static_bytes = c ? (double)c->static_bytes : 0;
	r->has_static &= c != NULL;
	job->bytes[WM_VIEW_worst] = peak_of(&a->ranks[a->max], job);
	job->bytes[WM_VIEW_rank0] = peak_of(&a->ranks[0], job);
	job->bytes[WM_VIEW_mean] = a->mean + job->static_bytes;
	for (k = 0; k < a->each_count && i < r->args.runs && !s; k++)
		s = take_rank(r, i, a, &a->each[k], err);
	return s;
}

static enum wm_status take_run(struct wm_model_runs *r, size_t i,
			       const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_model_job *job = &r->job[i];
	struct wm_provenance p;

	job->program = strdup(a->name);
	if (!job->program)
		return wm_no_memory(err, "the model");
	wm_provenance_make(&p, a);
	memcpy(job->build_id, p.build_id, sizeof(job->build_id));
	job->point.n = (double)a->job_size;
	return take_peaks(r, i, a, err);
}

/*
 * Inside of MPI each allocation is a site: tables with an entry for each rank
 * are small beside what else MPI_Init() makes, but they grow.
 */
static void unfold_mpi(struct wm_request *q)
{
	static const char *const fold[] = { "-mpi", "-mpi-base" };
	size_t n = sizeof(fold) / sizeof(*fold);

	if (q->fold_count + n > WM_FOLDS)
		return;
	/* what the user says comes later, and so counts */
	memmove(q->fold + n, q->fold, q->fold_count * sizeof(*q->fold));
	memcpy(q->fold, fold, sizeof(fold));
	q->fold_count += n;
}

static enum wm_status read_run(struct wm_model_runs *r, size_t i,
			       const struct wm_opts *o, bool quiet,
			       struct wm_err *err)
{
	struct wm_request one = o->request;
	struct wm_analysis a;
	enum wm_status s;

	one.runs = &r->args.run[i];
	one.run_count = 1;
	one.several = true;
	one.choice = WM_RANK_MAX;
	unfold_mpi(&one);
	r->job[i].path = wm_plain(r->args.run[i], strlen(r->args.run[i]));
	r->jobs = i + 1;
	if (!r->job[i].path)
		return wm_no_memory(err, "the model");
	s = wm_analysis_read(&a, &one, err);
	wm_print_notes(&a, quiet);
	if (!s)
		s = take_run(r, i, &a, err);
	if (!s && a.partial) {
		r->partial = true;
		s = add_note(r, err,
			     "run %s is incomplete, and so is what the "
			     "model makes of it",
			     r->job[i].path);
	}
	wm_print_outside(&a, quiet);
	wm_analysis_release(&a);
	return s;
}

/* ---- all of them ---- */

/* Static memory of a part of the runs would look like a difference. */
static enum wm_status drop_static(struct wm_model_runs *r, struct wm_err *err)
{
	uint32_t site;
	size_t i, k;

	if (r->has_static)
		return WM_OK;
	site = wm_model_site(&r->model, WM_SITE_STATIC, WM_SITE_STATIC);
	for (i = 0; i < r->jobs; i++)
		for (k = 0; k < WM_VIEWS; k++)
			r->job[i].bytes[k] -= r->job[i].static_bytes;
	for (i = 0; i < r->model.samples; i++)
		for (k = 0; k < r->model.sample[i].count; k++)
			if (r->model.sample[i].held[k].site == site)
				r->model.sample[i].held[k].bytes = 0;
	return add_note(r, err,
			"static memory is left out: not all runs have a "
			"census (" WMC_FILE_NAME ")");
}

/* Whether a sample held more at its peak than in any phase of @keep. */
static bool misses_peak(const struct wm_model *m, const struct wm_sample *s,
			uint64_t keep)
{
	double most = 0;
	uint32_t i;

	for (i = 1; i < m->parts; i++)
		if (keep & 1ull << i)
			most = fmax(most, wm_sample_sum(s, i));
	return most < (1 - PHASE_MISS) * wm_sample_sum(s, 0);
}

/* What a rank that entered no phase holds at its peak is outside of phases. */
static enum wm_status put_outside(struct wm_sample *s, uint32_t outside,
				  struct wm_err *err)
{
	size_t count = s->count, i;
	enum wm_status st = WM_OK;

	for (i = 0; i < count; i++)
		if (s->held[i].part)
			return WM_OK;
	for (i = 0; i < count && !st; i++)
		st = wm_sample_add(s, outside, s->held[i].site,
				   s->held[i].bytes, err);
	return st;
}

/* Model by phases, when all runs have the same ones and peaks lie in them. */
static enum wm_status use_phases(struct wm_model_runs *r, struct wm_err *err)
{
	struct wm_model *m = &r->model;
	uint64_t all = r->args.runs < 64 ? (1ull << r->args.runs) - 1 :
					   UINT64_MAX;
	uint64_t keep = 0;
	bool missed = false, several = m->parts > 2;
	enum wm_status s = WM_OK;
	uint32_t outside;
	size_t i;

	outside = several ? wm_model_part(m, "") : 0;
	for (i = 0; i < m->samples && several && !s; i++)
		s = put_outside(&m->sample[i], outside, err);
	if (s)
		return s;
	for (i = 1; i < m->parts; i++)
		if ((m->part[i].seen & all) == all)
			keep |= 1ull << i;
	for (i = 0; i < m->samples && keep; i++)
		missed |= misses_peak(m, &m->sample[i], keep);
	if (missed || !(keep & (keep - 1)))
		keep = 0;
	wm_model_keep_parts(m, keep ? keep : 1);
	for (i = 0; i < m->parts && keep; i++)
		if (m->part[i].name && !*m->part[i].name) {
			free(m->part[i].name);
			m->part[i].name = NULL;
		}
	if (keep || !several)
		return WM_OK;
	return add_note(r, err,
			"runs have other phases, or peaks outside of those "
			"that all have: ranks are modelled at their peaks, "
			"whatever the phase");
}

/* What the runs hold by site, for check_programs(). */
static double *site_table(const struct wm_model *m)
{
	double *table = calloc(m->sites * m->runs + 1, sizeof(*table));
	size_t i, k;

	for (i = 0; table && i < m->samples; i++)
		for (k = 0; k < m->sample[i].count; k++)
			if (!m->sample[i].held[k].part)
				table[m->sample[i].held[k].site * m->runs +
				      m->sample[i].run] +=
					m->sample[i].held[k].bytes;
	return table;
}

/* The share of the bytes of run @i that lie in sites of other runs, too. */
static double common_share(const struct wm_model *m, const double *table,
			   size_t i)
{
	double sum = 0, common = 0;
	size_t k, other;

	for (k = 0; k < m->sites; k++) {
		const double *bytes = &table[k * m->runs];

		if (strcmp(m->site[k].path, WM_SITE_STATIC) == 0)
			continue;
		sum += bytes[i];
		for (other = 0; other < m->runs; other++)
			if (other != i && bytes[other] > 0)
				break;
		common += other < m->runs ? bytes[i] : 0;
	}
	return sum > 0 ? common / sum : 1;
}

static enum wm_status check_program(struct wm_model_runs *r, size_t i,
				    double share, struct wm_err *err)
{
	const struct wm_model_job *j = &r->job[i], *first = &r->job[0];
	bool other = strcmp(j->program, first->program) != 0;

	if (share < COMMON && other)
		return wm_err_set(err, WM_USAGE,
				  "%s is a run of another program than %s: "
				  "%.0f %% of its bytes lie on call paths that "
				  "no other run has; give runs of one program",
				  j->path, first->path, (1 - share) * 100);
	if (share < COMMON)
		return add_note(r, err,
				"%.0f %% of the bytes of %s lie on call paths "
				"that no other run has: another build, another "
				"input, or no symbols?",
				(1 - share) * 100, j->path);
	return !other ? WM_OK :
			add_note(r, err,
				 "runs of '%s' and '%s': their call paths are "
				 "taken for those of one program",
				 first->program, j->program);
}

static enum wm_status check_programs(struct wm_model_runs *r,
				     struct wm_err *err)
{
	double *table = site_table(&r->model);
	enum wm_status s = table ? WM_OK : wm_no_memory(err, "the model");
	size_t i;

	for (i = 0; i < r->args.runs && !s; i++)
		s = check_program(r, i, common_share(&r->model, table, i), err);
	free(table);
	return s;
}

static enum wm_status set_points(struct wm_model_runs *r, struct wm_err *err)
{
	struct wm_model *m = &r->model;
	size_t i;

	m->runs = r->args.runs;
	for (i = 0; i < r->args.runs; i++)
		m->point[i] = (struct wm_point){ r->job[i].point.n,
						 r->args.size[i] };
	r->scaling = wm_model_scaling(m);
	for (i = 0; i < r->jobs; i++) {
		struct wm_model_job *j = &r->job[i];

		j->point.p = r->args.size[i];
		if (!(j->point.p > 0) && r->scaling == WM_SCALING_MIXED)
			return wm_err_set(err, WM_USAGE,
					  "the size of the problem of %s is "
					  "not told: give --problem-size one "
					  "value for each run, those to check "
					  "last",
					  j->path);
		if (!(j->point.p > 0))
			j->point.p = wm_model_runs_size(r, j->point.n);
	}
	for (i = 1; i < r->args.runs; i++)
		if (m->point[i].n != m->point[0].n ||
		    m->point[i].p != m->point[0].p)
			return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "all runs have %.0f ranks and a problem of the same "
			  "size (%g): a model needs runs that differ; trace "
			  "another number of ranks, or another size and tell "
			  "it with --problem-size P,P,...",
			  m->point[0].n, m->point[0].p);
}

double wm_model_runs_size(const struct wm_model_runs *r, double n)
{
	const struct wm_point *x = &r->model.point[r->model.runs - 1];

	return r->scaling == WM_SCALING_WEAK ? x->p / x->n * n : x->p;
}

/* What these runs cannot tell. */
static enum wm_status note_limits(struct wm_model_runs *r, struct wm_err *err)
{
	const struct wm_design *d = &r->model.design;
	enum wm_status s = WM_OK;

	if (d->like[WM_TERM_RANKS] == WM_TERM_CONST)
		s = add_note(r, err,
			     "all runs have the same number of ranks: what "
			     "grows with N cannot be told from what is "
			     "constant, nor P from P/N; trace other numbers of "
			     "ranks, too");
	else if (d->like[WM_TERM_SHARE] == WM_TERM_CONST)
		s = add_note(r, err,
			     "P/N is the same in all runs (weak scaling): what "
			     "grows with P/N cannot be told from what is "
			     "constant; predictions are for this P/N");
	if (!s && d->groups < 3)
		s = add_note(
			r, err,
			"two different runs: each site is constant, or "
			"follows P/N or N, and predictions have no "
			"interval of errors; three or more let other terms be seen "
			"and errors be known");
	return s;
}

static bool is_first_build(const struct wm_model_runs *r, size_t i)
{
	return *r->job[i].build_id &&
	       !strcmp(r->job[i].build_id, r->job[0].build_id);
}

/* Places tell call paths apart in one build; between builds only names do, and
 * what was read is read again.  The notes of @told runs have been printed. */
static enum wm_status read_all(struct wm_model_runs *r, const struct wm_opts *o,
			       bool names, size_t told, struct wm_err *err)
{
	enum wm_status s;
	size_t i;

	memset(r, 0, sizeof(*r));
	r->has_static = true;
	r->names = names;
	s = wm_model_args_parse(&r->args, o, err);
	if (!s && wm_model_part(&r->model, NULL) == UINT32_MAX)
		s = wm_no_memory(err, "the model");
	for (i = 0; i < r->args.runs + r->args.checks && !s; i++) {
		s = read_run(r, i, o, o->quiet || i < told, err);
		if (!s && !names && i < r->args.runs && !is_first_build(r, i)) {
			wm_model_runs_release(r);
			return read_all(r, o, true, i + 1, err);
		}
	}
	return s;
}

enum wm_status wm_model_runs_read(struct wm_model_runs *r,
				  const struct wm_opts *o, bool names,
				  struct wm_err *err)
{
	static enum wm_status (*const step[])(struct wm_model_runs *,
					      struct wm_err *) = {
		set_points,
		drop_static,
		check_programs,
		use_phases,
	};
	enum wm_status s = read_all(r, o, names, 0, err);
	size_t i;

	for (i = 0; i < sizeof(step) / sizeof(*step) && !s; i++)
		s = step[i](r, err);
	if (!s)
		s = wm_model_fit(&r->model, err);
	return s ? s : note_limits(r, err);
}
