/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/model/report_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/job/analysis.h"
#include "analyze/job/outside.h"
#include "analyze/answers/heap/profile.h"
#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/exit.h"
#include "wm/census_format.h"

#define MOST_OWN 50 /* percent of the bytes; with more, programs differ */
#define WM_SITE_STATIC "(static memory)"

/* Takes RUN RUN ... and then the runs of --check RUN,RUN... */
static enum wm_status take_runs(struct wm_model_runs *r,
				const struct wm_opts *o, struct wm_err *err)
{
	size_t n = o->request.run_count, i;
	char *rest, *name = NULL;

	if (n < 2)
		return wm_err_set(err, WM_USAGE,
				  "a model needs two runs or more, with "
				  "different numbers of ranks or sizes of the "
				  "problem");
	rest = r->checks = o->check_runs ? strdup(o->check_runs) : NULL;
	if (o->check_runs && !rest)
		return wm_no_memory(err, NULL);
	for (i = 0; i < n || (name = strsep(&rest, ",")); i++) {
		if (i == WM_MODEL_RUNS)
			return wm_err_set(err, WM_USAGE, "more than %d runs",
					  WM_MODEL_RUNS);
		r->job[i].run = name ? name : o->request.runs[i];
		r->job[i].path = wm_plain(r->job[i].run, strlen(r->job[i].run));
		if (!r->job[i].path)
			return wm_no_memory(err, NULL);
		r->jobs++;
		r->runs += i < n;
	}
	return WM_OK;
}

/* Reads points into @x: with @ranks from "N:P,N", ranks and optional sizes;
 * without @ranks from "P,P", only sizes.  Returns the number of points, or 0 if
 * the text is invalid. */
static size_t take_points(struct wm_point *x, bool ranks, const char *text)
{
	size_t n = 0;
	bool sized;
	double v;

	do {
		text += strspn(text, " ");
		sized = !ranks;
		v = ranks ? wm_take_number(&text) : 1;
		if (ranks && *text == ':')
			sized = *text++;
		x[n] = (struct wm_point){ v,
					  sized ? wm_take_number(&text) : 0 };
		if (!(v > 0) || v != floor(v) || (sized && !(x[n].p > 0)) ||
		    (*text && *text != ',') || n++ == WM_MODEL_RUNS)
			return 0;
	} while (*text++);
	return n;
}

static enum wm_status take_options(struct wm_model_runs *r,
				   const struct wm_opts *o, struct wm_err *err)
{
	enum wm_status s = take_runs(r, o, err);
	struct wm_point size[WM_MODEL_RUNS + 1];
	size_t n = o->sizes ? take_points(size, false, o->sizes) : 0, i;

	if (s)
		return s;
	if (!o->sizes)
		return wm_err_set(
			err, WM_USAGE,
			"--model needs the size of the problem of the runs: "
			"--problem-size P when it is the same, or "
			"--problem-size P,P,... (cells, atoms, unknowns: what "
			"grows with the problem)");
	if (!n)
		return wm_err_set(
			err, WM_USAGE,
			"--problem-size %s: not sizes of the problem, "
			"like 1e6, with commas between them",
			o->sizes);
	if (n > 1 && n != r->jobs)
		return wm_err_set(err, WM_USAGE,
				  "--problem-size has %zu values for %zu "
				  "runs%s: give one for all, or one for each "
				  "run in their order",
				  n, r->jobs,
				  r->jobs > r->runs ? " (those to check last)" :
						      "");
	for (i = 0; i < r->jobs; i++)
		r->job[i].point.p = size[n > 1 ? i : 0].p;
	r->asks = o->predict ? take_points(r->ask, true, o->predict) : 0;
	if (o->predict && !r->asks)
		return wm_err_set(err, WM_USAGE,
				  "--predict %s: not RANKS or RANKS:SIZE, with "
				  "commas between them",
				  o->predict);
	return WM_OK;
}

void wm_model_runs_release(struct wm_model_runs *r)
{
	for (size_t i = 0; i < r->jobs; i++)
		free(r->job[i].path);
	free(r->checks);
	free(r->program);
	wm_model_release(&r->model);
	wm_run_release(&r->said);
	wm_namesakes_release(&r->namesakes);
}

/* Adds the bytes of @use in a phase, and static memory, to a sample. */
static enum wm_status add_sites(struct wm_model_runs *r, struct wm_sample *s,
				const char *phase, double static_bytes,
				const struct wm_analysis *a,
				const struct wm_use *use, struct wm_err *err)
{
	struct wm_model *m = &r->model;
	uint32_t part = wm_model_part(m, phase);
	struct wm_profile p;
	enum wm_status st;
	bool good = true;

	if (part == UINT32_MAX)
		return wm_no_memory(err, "the model");
	st = wm_profile_make(&p, a, use, NULL,
			     r->with.lines ? WM_PROFILE_BY_LINE :
					     WM_PROFILE_BY_NAME,
			     err);
	if (st)
		return st;
	m->part_seen[part] |= 1ull << s->run;
	for (size_t i = 0; i < p.count && good; i++)
		if (p.row[i].use.peak_bytes)
			good = wm_model_add(m, part, p.row[i].path,
					    p.row[i].site,
					    (double)p.row[i].use.peak_bytes,
					    p.row[i].use.doubles);
	wm_profile_release(&p);
	if (good && static_bytes > 0)
		good = wm_model_add(m, part, WM_SITE_STATIC, WM_SITE_STATIC,
				    static_bytes, false);
	return good ? WM_OK : wm_no_memory(err, "the model");
}

/* Takes the memory of rank @e of a run: at its highest moment in each phase
 * (part 0: outside of phases), or at its peak. */
static enum wm_status take_rank(struct wm_model_runs *r,
				const struct wm_model_job *job, size_t run,
				const struct wm_analysis *a,
				const struct wm_each *e, struct wm_err *err)
{
	const struct wm_rank *rank = &a->ranks[e->rank];
	const struct wm_annotations *n = e->annotations;
	struct wm_sample *s = wm_model_sample(&r->model, run, rank->rank);
	struct wm_use *use = calloc(a->paths.path_count + 1, sizeof(*use));
	enum wm_status st = s && use ? WM_OK : wm_no_memory(err, "the model");
	bool phases = r->with.phases && n->phase_count > 1;

	for (size_t k = 0; k < e->count && !st; k++) {
		wm_use_add(&use[e->number[k]], &rank->use[k]);
		use[e->number[k]].doubles |= e->lifetime &&
					     e->lifetime[k].doubles;
	}
	if (!st && !phases)
		st = add_sites(r, s, NULL, job->static_bytes, a, use, err);
	for (size_t i = 0; phases && i < n->phase_count && !st; i++) {
		const struct wm_phase *f = &n->phase[i];

		if (!f->held || r->model.parts.count == WM_MODEL_PARTS)
			continue;
		for (size_t k = 0; k < a->paths.path_count; k++)
			use[k].peak_bytes = use[k].peak_blocks = 0;
		for (size_t k = 0; k < f->held_count && k < e->count; k++) {
			use[e->number[k]].peak_bytes += f->held[k];
			use[e->number[k]].peak_blocks += f->held[k] > 0;
		}
		st = add_sites(r, s, f->name, job->static_bytes, a, use, err);
	}
	free(use);
	return st;
}

static enum wm_status take_run(struct wm_model_runs *r, size_t i,
			       const struct wm_analysis *a, struct wm_err *err)
{
	const struct wm_census *c = wm_analysis_census(a, a->max);
	struct wm_model_job *job = &r->job[i];
	enum wm_status s = WM_OK;
	struct wm_provenance p;
	size_t run, k;

	wm_provenance_make(&p, a);
	if (!r->program) {
		r->program = strdup(a->name);
		memcpy(r->build_id, p.build_id, sizeof(r->build_id));
	}
	if (!r->program)
		return wm_no_memory(err, "the model");
	job->foreign = strcmp(a->name, r->program) != 0;
	job->point.n = (double)a->job_size;
	r->common.census &= c != NULL;
	job->static_bytes = c && r->with.census ? (double)c->static_bytes : 0;
	job->bytes = (double)a->ranks[a->max].in[WM_HOST].peak_bytes +
		     job->static_bytes;
	if (i >= r->runs)
		return WM_OK;
	r->common.lines &= *p.build_id && !strcmp(p.build_id, r->build_id);
	run = wm_model_run(&r->model, job->point);
	for (k = 0; k < a->each_count && !s; k++) {
		if (a->each[k].rank == a->max)
			job->worst = r->model.samples;
		s = take_rank(r, job, run, a, &a->each[k], err);
	}
	return s;
}

static enum wm_status read_run(struct wm_model_runs *r, size_t i,
			       const struct wm_opts *o, bool quiet,
			       struct wm_err *err)
{
	struct wm_request one = o->request;
	struct wm_analysis a;
	enum wm_status s;

	one.runs = &r->job[i].run;
	one.run_count = 1;
	one.several = true;
	one.namesakes = &r->namesakes;
	one.choice = WM_RANK_MAX;
	/* Inside of MPI each allocation is a site: tables with an entry for
	 * each rank are small beside other memory of MPI_Init(), but they grow.
	 * The user's folds come later, so they take precedence. */
	memcpy(one.fold + 2, o->request.fold,
	       sizeof(one.fold) - 2 * sizeof(*one.fold));
	one.fold[0] = "-mpi";
	one.fold[1] = "-mpi-base";
	one.fold_count += 2;
	s = wm_analysis_read(&a, &one, err);
	wm_print_notes(&a, quiet);
	if (!s)
		s = take_run(r, i, &a, err);
	if (!s && a.partial) {
		r->partial = true;
		s = wm_run_note(&r->said, err,
				"run %s is incomplete, and so is what the "
				"model makes of it",
				r->job[i].path);
	}
	wm_print_outside(&a, quiet);
	wm_analysis_release(&a);
	return s;
}

/* Returns the share of rank 0's bytes at sites that no other run has. */
static double own_share(const struct wm_model *m, size_t run)
{
	const struct wm_sample *s = &m->sample[m->first[run]];
	double sum = 0, own = 0;

	for (size_t k = 0; k < s->count; k++) {
		if (!strcmp(m->site[k].path, WM_SITE_STATIC))
			continue;
		sum += s->held[k];
		own += m->site[k].seen == 1ull << run ? s->held[k] : 0;
	}
	return sum > 0 ? own / sum : 0;
}

static enum wm_status check_programs(struct wm_model_runs *r,
				     struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < r->runs && !s; i++) {
		const struct wm_model_job *j = &r->job[i];
		size_t run = r->model.sample[j->worst].run;
		double own = 100 * own_share(&r->model, run);

		if (own > MOST_OWN && j->foreign)
			s = wm_err_set(err, WM_USAGE,
				       "%s is a run of another program than "
				       "%s: %.0f %% of its bytes lie on call "
				       "paths that no other run has; give runs "
				       "of one program",
				       j->path, r->job->path, own);
		else if (own > MOST_OWN)
			s = wm_run_note(&r->said, err,
					"%.0f %% of the bytes of %s lie on "
					"call paths that no other run has: "
					"another build, another input, or no "
					"symbols?",
					own, j->path);
	}
	return s;
}

struct wm_point wm_model_runs_job(const struct wm_model_runs *r, double n)
{
	const struct wm_point *x = &r->model.point[r->model.runs - 1];
	bool weak = !r->model.design.one_p && r->model.design.one_share;

	return (struct wm_point){ n, weak ? x->p / x->n * n : x->p };
}

/* Leaves out details that the runs do not have in common.  Returns false if the
 * runs must be read again without such details, or because a later run added
 * files to names.  Lines distinguish call paths only within one build. */
static bool is_common(struct wm_model_runs *r)
{
	const struct wm_model *m = &r->model;
	struct wm_model_detail had = r->with, *d = &r->common;
	bool late = r->namesakes.late;

	for (size_t i = 1; i < m->parts.count; i++)
		d->phases &= (size_t)__builtin_popcountll(m->part_seen[i]) ==
			     m->runs;
	r->namesakes.late = false;
	r->with = *d;
	return !late && d->lines == had.lines && d->phases == had.phases &&
	       d->census == had.census;
}

enum wm_status wm_model_runs_read(struct wm_model_runs *r,
				  const struct wm_opts *o, bool names,
				  struct wm_err *err)
{
	enum wm_status s = take_options(r, o, err);
	bool again = false;

	r->with = (struct wm_model_detail){ !names, !names, true };
	do {
		wm_model_release(&r->model);
		wm_run_release(&r->said);
		r->common = r->with;
		if (!s && wm_model_part(&r->model, NULL) == UINT32_MAX)
			s = wm_no_memory(err, "the model");
		for (size_t i = 0; i < r->jobs && !s; i++)
			s = read_run(r, i, o, o->quiet || again, err);
		again = true;
	} while (!s && !is_common(r));
	if (!s && r->model.runs < 2)
		s = wm_err_set(err, WM_USAGE,
			       "all runs have %.0f ranks and a problem of the "
			       "same size (%g): a model needs runs that "
			       "differ; trace another number of ranks, or "
			       "another size and give it by --problem-size "
			       "P,P,...",
			       r->job[0].point.n, r->job[0].point.p);
	if (s)
		return s;
	if (!r->with.census)
		s = wm_run_note(
			&r->said, err,
			"static memory is left out: not all runs have a "
			"census (" WMC_FILE_NAME ")");
	if (!s && !names && !r->with.phases)
		s = wm_run_note(&r->said, err,
				"runs have other phases: ranks are modelled at "
				"their peaks, whatever the phase");
	return s ? s : check_programs(r, err);
}
