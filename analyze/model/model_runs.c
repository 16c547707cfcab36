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
#define ALIKE 1.25 /* times as long, epochs are alike */
/* relative error of runs that are left out from which on a shape helps */
#define BAD_FIT 0.05
#define COMMON 0.5 /* of the bytes: else they are different programs */

#define WM_VIEW_X(name, what) #name,
const char *const wm_view_name[WM_VIEWS] = { WM_VIEW_LIST(WM_VIEW_X) };
#undef WM_VIEW_X
#define WM_VIEW_X(name, what) what,
const char *const wm_view_what[WM_VIEWS] = { WM_VIEW_LIST(WM_VIEW_X) };
#undef WM_VIEW_X

static __attribute__((format(printf, 3, 4))) enum wm_status
add_note(struct wm_model_runs *r, struct wm_err *err, const char *fmt, ...)
{
	char text[512];
	char **note = WM_MORE(r->note, r->note_cap, r->notes);
	va_list ap;

	if (!note)
		return wm_no_memory(err, "the model");
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	*note = strdup(text);
	if (!*note)
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
		free(r->job[i].id);
		free(r->job[i].command);
		free(r->job[i].build);
	}
	for (i = 0; i < WM_VIEWS; i++) {
		wm_model_release(&r->model[i]);
		wm_model_release(&r->phased[i]);
	}
	for (i = 0; i < r->notes; i++)
		free(r->note[i]);
	free(r->note);
	wm_model_args_release(&r->args);
	memset(r, 0, sizeof(*r));
}

/* ---- one run ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The part called @name, made when it is new; NULL: no memory. */
static struct wm_model_part *find_part(struct wm_model *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->parts; i++)
		if (same_text(m->part[i].name, name))
			return &m->part[i];
	return wm_model_part(m, name);
}

/* What @use holds, shared by @ranks, to the sites of run @run in the part
 * called @name. */
static enum wm_status add_sites(struct wm_model *m, const char *name,
				size_t run, const struct wm_analysis *a,
				const struct wm_use *use, double ranks,
				struct wm_err *err)
{
	struct wm_model_part *part = find_part(m, name);
	struct wm_profile p;
	enum wm_status s;
	size_t i;

	if (!part)
		return wm_no_memory(err, "the model");
	/* until all runs are known to be of one build, or not */
	s = wm_profile_make_by_line(&p, a, use, err);
	if (s)
		return s;
	part->seen |= 1ull << run;
	for (i = 0; i < p.count && !s; i++) {
		const struct wm_profile_row *row = &p.row[i];
		struct wm_model_site *site;

		if (!row->use.peak_bytes)
			continue;
		site = wm_model_site(part, row->path, row->site, row->file,
				     row->line);
		if (!site)
			s = wm_no_memory(err, "the model");
		else
			site->bytes[run] += (double)row->use.peak_bytes / ranks;
	}
	wm_profile_release(&p);
	return s;
}

static enum wm_status add_static(struct wm_model *m, size_t run, double bytes,
				 struct wm_err *err)
{
	size_t i;

	for (i = 0; i < m->parts; i++) {
		struct wm_model_site *site;

		site = wm_model_site(&m->part[i], WM_SITE_STATIC,
				     WM_SITE_STATIC, NULL, 0);
		if (!site)
			return wm_no_memory(err, "the model");
		site->bytes[run] = bytes;
	}
	return WM_OK;
}

/* The phases of what @a's lists are about, a part for each. */
static enum wm_status add_phases(struct wm_model *m, size_t run,
				 const struct wm_analysis *a, double ranks,
				 struct wm_err *err)
{
	struct wm_use *use = calloc(a->paths.path_count + 1, sizeof(*use));
	enum wm_status s = use ? WM_OK : wm_no_memory(err, "the model");
	size_t i, k;

	for (i = 0; i < a->annotations.phase_count && !s; i++) {
		const struct wm_phase *f = &a->annotations.phase[i];

		if (!f->held)
			continue;
		/* the first paths of the analysis are those of its lists */
		for (k = 0; k < f->held_count; k++) {
			use[k].peak_bytes = f->held[k];
			use[k].peak_blocks = f->held[k] > 0;
		}
		s = add_sites(m, f->name, run, a, use, ranks, err);
	}
	free(use);
	return s;
}

static double sum_of(const struct wm_model *m, size_t run)
{
	double most = 0, sum;
	size_t i, k;

	for (i = 0; i < m->parts; i++) {
		for (sum = 0, k = 0; k < m->part[i].count; k++)
			sum += m->part[i].site[k].bytes[run];
		most = sum > most ? sum : most;
	}
	return most;
}

/* What the ranks of @a accessed in their highest epoch, for each view. */
static enum wm_status working_sets(const struct wm_analysis *a,
				   const struct wm_model_job *job,
				   double bytes[WM_VIEWS], double *epoch_ms,
				   struct wm_err *err)
{
	double sum = 0, most = 0, ms = 0;
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_page_totals *t = &a->ranks[i].page_totals;
		uint64_t set;

		if (!wm_working_set(t, &set))
			return wm_err_set(err, WM_USAGE,
					  "%s: the working set of rank "
					  "%" PRIu64 " is not known: run all "
					  "ranks with WM_PAGES, the program "
					  "linked statically",
					  job->path, a->ranks[i].rank);
		sum += (double)set;
		most = (double)set > most ? (double)set : most;
		ms += (double)t->cpu_ns / (double)t->epochs * 1e-6;
		if (!i)
			bytes[WM_VIEW_rank0] = (double)set;
	}
	bytes[WM_VIEW_worst] = most;
	bytes[WM_VIEW_mean] = sum / (double)a->rank_count;
	*epoch_ms = ms / (double)a->rank_count;
	return WM_OK;
}

/* One site, as whose pages they are is known of one rank alone. */
static enum wm_status take_working_sets(struct wm_model_runs *r, size_t i,
					const struct wm_analysis *a,
					struct wm_err *err)
{
	struct wm_model_job *job = &r->job[i];
	enum wm_status s;

	s = working_sets(a, job, job->bytes, &job->epoch_ms, err);
	for (size_t v = 0; v < WM_VIEWS && !s && i < r->args.runs; v++) {
		struct wm_model_part *part = find_part(&r->model[v], NULL);
		struct wm_model_site *site = NULL;

		if (part)
			site = wm_model_site(part, WM_SITE_WORKING_SET,
					     WM_SITE_WORKING_SET, NULL, 0);
		if (!site)
			return wm_no_memory(err, "the model");
		part->seen |= 1ull << i;
		site->bytes[i] = job->bytes[v];
	}
	return s;
}

static enum wm_status take_run(struct wm_model_runs *r, size_t i,
			       const struct wm_analysis *a, struct wm_err *err)
{
	static const enum wm_retained_id kept[WM_VIEWS] = { WM_RETAINED_max,
							    WM_RETAINED_all,
							    WM_RETAINED_first };
	const struct wm_module *exe = &a->ranks[a->max].exe;
	struct wm_model_job *job = &r->job[i];
	struct wm_provenance p;
	const struct wm_census *c = wm_analysis_census(a, a->max);
	double bytes = c ? (double)c->static_bytes : 0;
	size_t v;

	job->program = strdup(a->name);
	job->build = malloc(exe->build_id_size + 1);
	if (job->build && exe->build_id_size)
		memcpy(job->build, exe->build_id, exe->build_id_size);
	job->build_size = exe->build_id_size;
	job->id = strdup(a->id);
	wm_provenance_make(&p, a);
	memcpy(job->started, p.started, sizeof(job->started));
	if (p.commands)
		job->command = strdup(p.command[0].text);
	if (!job->program || !job->id || !job->build ||
	    (p.commands && !job->command))
		return wm_no_memory(err, "the model");
	job->point.n = r->args.ranks[i] > 0 ? r->args.ranks[i] :
					      (double)a->job_size;
	if (r->args.working_set)
		return take_working_sets(r, i, a, err);
	job->static_bytes = bytes;
	r->has_static &= c != NULL;
	for (v = 0; v < WM_VIEWS; v++) {
		struct wm_model check = { .runs = 0 };
		struct wm_model *m = i < r->args.runs ? &r->model[v] : &check;
		size_t run = i < r->args.runs ? i : 0;
		double ranks = kept[v] == WM_RETAINED_all ?
				       (double)a->rank_count :
				       1;
		enum wm_status s;

		s = add_sites(m, NULL, run, a, a->retained[kept[v]].use, ranks,
			      err);
		if (!s)
			s = add_static(m, run, bytes, err);
		job->bytes[v] = sum_of(m, run);
		wm_model_release(&check);
		if (s)
			return s;
	}
	return WM_OK;
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

/*
 * The run was read with phases for the worst rank.  Those of rank 0 and of all
 * ranks take another look at it.
 */
static enum wm_status read_phases(struct wm_model_runs *r, size_t i,
				  const struct wm_request *q,
				  const struct wm_analysis *worst,
				  struct wm_err *err)
{
	struct wm_request one = *q;
	struct wm_analysis a;
	enum wm_status s;
	size_t v;

	if (i >= r->args.runs || worst->annotations.phase_count < 2 ||
	    r->args.working_set)
		return WM_OK;
	s = add_phases(&r->phased[WM_VIEW_worst], i, worst, 1, err);
	for (v = 0; v < WM_VIEWS && !s; v++) {
		if (v == WM_VIEW_worst)
			continue;
		one.choice = v == WM_VIEW_mean ? WM_RANK_ALL : WM_RANK_NUMBER;
		one.rank = worst->ranks[0].rank;
		s = wm_analysis_read(&a, &one, err);
		if (!s)
			s = add_phases(&r->phased[v], i, &a,
				       v == WM_VIEW_mean ?
					       (double)a.rank_count :
					       1,
				       err);
		wm_analysis_release(&a);
	}
	return s;
}

static enum wm_status read_run(struct wm_model_runs *r, size_t i,
			       const struct wm_opts *o, struct wm_err *err)
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
	wm_print_notes(&a, o->quiet);
	if (!s)
		s = take_run(r, i, &a, err);
	if (!s)
		s = read_phases(r, i, &one, &a, err);
	if (!s && a.partial) {
		r->partial = true;
		s = add_note(r, err,
			     "run %s is incomplete, and so is what the "
			     "model makes of it",
			     r->job[i].path);
	}
	wm_print_outside(&a, o->quiet);
	wm_analysis_release(&a);
	return s;
}

/* ---- all of them ---- */

/* Static memory of a part of the runs would look like a difference. */
static enum wm_status drop_static(struct wm_model_runs *r, struct wm_err *err)
{
	size_t v, i, k;

	if (r->has_static)
		return WM_OK;
	for (i = 0; i < r->jobs; i++)
		for (v = 0; v < WM_VIEWS; v++)
			r->job[i].bytes[v] -= r->job[i].static_bytes;
	for (v = 0; v < WM_VIEWS; v++)
		for (i = 0; i < r->model[v].parts; i++)
			for (k = 0; k < r->args.runs; k++)
				wm_model_site(&r->model[v].part[i],
					      WM_SITE_STATIC, WM_SITE_STATIC,
					      NULL, 0)
					->bytes[k] = 0;
	return add_note(r, err,
			"static memory is left out: not all runs have a "
			"census (" WMC_FILE_NAME ")");
}

/* Model by phases, when all runs have the same ones and peaks lie in them. */
static enum wm_status use_phases(struct wm_model_runs *r, enum wm_view v,
				 struct wm_err *err)
{
	struct wm_model *m = &r->phased[v], *peak = &r->model[v];
	size_t before = m->parts, i;
	struct wm_model old;
	enum wm_status s;
	bool missed = false;

	wm_model_drop(m, r->args.runs < 64 ? (1ull << r->args.runs) - 1 :
					     UINT64_MAX);
	for (i = 0; i < r->args.runs; i++) {
		s = add_static(m, i, r->has_static ? r->job[i].static_bytes : 0,
			       err);
		if (s)
			return s;
		missed |= sum_of(m, i) < (1 - PHASE_MISS) * sum_of(peak, i);
	}
	if (m->parts < 2 || missed)
		return before < 2 ?
			       WM_OK :
			       add_note(
				       r, err,
				       "runs have other phases, or peaks outside "
				       "of those that all have: %s is modelled at its "
				       "peak, whatever the phase",
				       wm_view_what[v]);
	m->runs = peak->runs;
	memcpy(m->point, peak->point, sizeof(m->point));
	old = *peak;
	*peak = *m;
	*m = old;
	return WM_OK;
}

/* The share of the bytes of run @i that lie in sites of other runs, too. */
static double common_share(const struct wm_model *m, size_t i)
{
	double sum = 0, common = 0;
	size_t k, other;

	for (k = 0; k < m->part[0].count; k++) {
		const struct wm_model_site *s = &m->part[0].site[k];

		if (strcmp(s->path, WM_SITE_STATIC) == 0)
			continue;
		sum += s->bytes[i];
		for (other = 0; other < m->runs; other++)
			if (other != i && s->bytes[other] > 0)
				break;
		common += other < m->runs ? s->bytes[i] : 0;
	}
	return sum > 0 ? common / sum : 1;
}

/* What is accessed in an epoch grows with it. */
static enum wm_status note_epochs(struct wm_model_runs *r, struct wm_err *err)
{
	double low = r->job[0].epoch_ms, high = low;
	size_t i;

	for (i = 1; i < r->jobs; i++) {
		low = fmin(low, r->job[i].epoch_ms);
		high = fmax(high, r->job[i].epoch_ms);
	}
	if (high <= ALIKE * low)
		return WM_OK;
	return add_note(r, err,
			"epochs of the runs last %.0f to %.0f ms: a longer one "
			"accesses more; WM_PAGES=MS makes them alike",
			low, high);
}

static enum wm_status check_programs(struct wm_model_runs *r,
				     struct wm_err *err)
{
	const struct wm_model_job *first = &r->job[0];
	size_t i;

	for (i = 0; i < r->args.runs; i++) {
		double share = common_share(&r->model[WM_VIEW_worst], i);
		const struct wm_model_job *j = &r->job[i];
		bool other = strcmp(j->program, first->program) != 0;
		enum wm_status s = WM_OK;

		if (share < COMMON && other)
			return wm_err_set(err, WM_USAGE,
					  "%s is a run of "
					  "another program than %s: %.0f %% of "
					  "its bytes lie on call paths that no "
					  "other run has; give runs of one "
					  "program",
					  j->path, first->path,
					  (1 - share) * 100);
		if (share < COMMON)
			s = add_note(
				r, err,
				"%.0f %% of the bytes of %s lie on "
				"call paths that no other run has: another "
				"build, another input, or no symbols?",
				(1 - share) * 100, j->path);
		else if (other)
			s = add_note(r, err,
				     "runs of '%s' and '%s': their call "
				     "paths are taken for those of one program",
				     first->program, j->program);
		if (s)
			return s;
	}
	return WM_OK;
}

static enum wm_status sort_runs(struct wm_model_runs *r, struct wm_err *err)
{
	struct wm_model *m = &r->model[0];
	size_t i, v;

	for (i = 0; i < r->args.runs; i++)
		wm_model_args_point(&r->args, i, r->job[i].point.n,
				    r->args.size[i], false, &m->point[i]);
	m->runs = r->args.runs;
	for (v = 1; v < WM_VIEWS; v++) {
		memcpy(r->model[v].point, m->point, sizeof(m->point));
		r->model[v].runs = m->runs;
	}
	r->scaling = wm_model_scaling(m);
	for (i = 0; i < r->jobs; i++) {
		struct wm_model_job *j = &r->job[i];
		double p = r->args.size[i];

		if (!(p > 0) && r->scaling == WM_SCALING_MIXED)
			return wm_err_set(
				err, WM_USAGE,
				"the size of the "
				"problem of %s is not told: give "
				"--problem-size one value for each run, "
				"those to check last",
				j->path);
		if (!(p > 0))
			p = wm_model_runs_size(r, j->point.n);
		wm_model_args_point(&r->args, i, j->point.n, p, false,
				    &j->point);
	}
	for (i = 1; i < r->args.runs; i++)
		if (m->point[i].n != m->point[0].n ||
		    m->point[i].p != m->point[0].p)
			return WM_OK;
	return wm_err_set(
		err, WM_USAGE,
		"all runs have %.0f ranks and a "
		"problem of the same size (%g): a model needs runs "
		"that differ; trace another number of ranks, or "
		"another size and tell it with --problem-size P,P,...",
		m->point[0].n, m->point[0].p);
}

double wm_model_runs_size(const struct wm_model_runs *r, double n)
{
	const struct wm_model *m = &r->model[0];
	const struct wm_point *x = &m->point[m->runs - 1];

	return r->scaling == WM_SCALING_WEAK ? x->p / x->n * n : x->p;
}

/* What these runs can not tell. */
static enum wm_status note_limits(struct wm_model_runs *r, struct wm_err *err)
{
	const struct wm_design *d = &r->model[0].design;
	const char *text = NULL;

	if (d->like[WM_TERM_RANKS] == WM_TERM_CONST)
		text = "all runs have the same number of ranks: what grows "
		       "with N can not be told from what is constant, nor P "
		       "from P/N; trace other numbers of ranks, too";
	else if (d->like[WM_TERM_SHARE] == WM_TERM_CONST)
		text = "P/N is the same in all runs (weak scaling): what "
		       "grows with P/N can not be told from what is constant; "
		       "predictions are for this P/N";
	if (text && add_note(r, err, "%s", text))
		return WM_NO_MEMORY;
	if (d->groups > 2)
		return WM_OK;
	if (r->args.grid[0].dims &&
	    add_note(r, err,
		     "--grid is not used: two "
		     "different runs can not tell faces "
		     "from other terms"))
		return WM_NO_MEMORY;
	return add_note(r, err,
			"two different runs: each site is constant, or "
			"follows P/N or N, and predictions have no interval; "
			"three or more let other terms be seen and errors be "
			"known");
}

/* Surfaces of boxes that nobody told of look like anything. */
static enum wm_status note_bad_fit(struct wm_model_runs *r, struct wm_err *err)
{
	const struct wm_model *m = &r->model[WM_VIEW_worst];
	double error = 0;
	size_t i;

	for (i = 0; i < m->parts; i++)
		if (m->part[i].crossed && m->part[i].error > error)
			error = m->part[i].error;
	if (r->args.grid[0].dims || error < BAD_FIT)
		return WM_OK;
	return add_note(r, err,
			"the size explains these runs badly: one that is left "
			"out is predicted with an error of %.0f %%; where the "
			"problem is a grid of cells, tell its shape with "
			"--grid AxBxC instead of --problem-size",
			100 * error);
}

static enum wm_status fit_all(struct wm_model_runs *r, struct wm_err *err)
{
	unsigned allowed = WM_TERM_BIT(WM_TERMS) - 1;
	enum wm_status s = WM_OK;
	size_t v;

	if (!r->args.grid[0].dims)
		allowed &= ~(WM_TERM_BIT(WM_TERM_FACES) |
			     WM_TERM_BIT(WM_TERM_LARGEST) |
			     WM_TERM_BIT(WM_TERM_CUTS));
	for (v = 0; v < WM_VIEWS && !s; v++)
		s = wm_model_fit(&r->model[v], allowed, err);
	return s;
}

/* Places tell call paths apart in one build; between builds only names do. */
static enum wm_status match_builds(struct wm_model_runs *r, struct wm_err *err)
{
	const struct wm_model_job *first = &r->job[0];
	enum wm_status s = WM_OK;
	size_t i, v;
	bool same = first->build_size != 0;

	for (i = 1; i < r->args.runs && same; i++)
		same = r->job[i].build_size == first->build_size &&
		       !memcmp(r->job[i].build, first->build,
			       first->build_size);
	for (v = 0; v < WM_VIEWS && !same && !s; v++) {
		s = wm_model_forget_lines(&r->model[v], err);
		if (!s)
			s = wm_model_forget_lines(&r->phased[v], err);
	}
	return s;
}

enum wm_status wm_model_runs_read(struct wm_model_runs *r,
				  const struct wm_opts *o, struct wm_err *err)
{
	enum wm_status s;
	size_t i;

	memset(r, 0, sizeof(*r));
	r->has_static = true;
	s = wm_model_args_parse(&r->args, o, err);
	for (i = 0; i < r->args.runs + r->args.checks && !s; i++)
		s = read_run(r, i, o, err);
	if (!s)
		s = match_builds(r, err);
	if (!s)
		s = sort_runs(r, err);
	if (!s)
		s = drop_static(r, err);
	if (!s)
		s = check_programs(r, err);
	if (!s && r->args.working_set)
		s = note_epochs(r, err);
	for (i = 0; i < WM_VIEWS && !s; i++)
		s = use_phases(r, i, err);
	if (!s)
		s = fit_all(r, err);
	if (!s)
		s = note_bad_fit(r, err);
	return s ? s : note_limits(r, err);
}
