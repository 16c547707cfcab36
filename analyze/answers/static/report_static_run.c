/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --static-report: finds the bundles of executables and of runs.  One bundle is
 * passed to report_static.c, two bundles to report_static_compare.c.
 */

#include <stdbool.h>
#include <sys/stat.h>

#include "analyze/job/outside.h"
#include "analyze/render/doc.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/report.h"
#include "analyze/answers/static/report_static.h"
#include "analyze/answers/text.h"
#include "wm/census_format.h"

#define VARIABLES_SHOWN 40

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* An executable, a bundle or a run, and its census. */
struct source {
	struct wm_bundle *own; /* NULL: the bundle belongs to the run */
	const struct wm_bundle *bundle;
	struct wm_analysis a;
	struct wm_static_share share; /* in a run */
};

/* Opens the bundle of the chosen rank's program, else the first bundle of the
 * run. */
static enum wm_status open_run(struct source *f, const struct wm_request *q,
			       struct wm_err *err)
{
	struct wm_analysis *a = &f->a;
	const struct wm_rank *r;
	enum wm_status s = wm_analysis_read(a, q, err);

	if (s)
		return s;
	r = &a->ranks[a->chosen == WM_ALL_RANKS ? a->max : a->chosen];
	f->share.rank = r->rank;
	f->share.peak_bytes = r->in[WM_HOST].peak_bytes;
	f->bundle = a->programs[r->program_index].bundle;
	for (size_t i = 0; i < a->program_count && !f->bundle; i++)
		f->bundle = a->programs[i].bundle;
	if (f->bundle)
		return WM_OK;
	return wm_err_set(err, WM_NOT_FOUND,
			  "run %s of %s has no census of "
			  "static memory: no " WMC_FILE_NAME,
			  a->id, a->name);
}

static enum wm_status open_source(struct source *f, const struct wm_request *q,
				  struct wm_err *err)
{
	enum wm_status s;

	if (q->run_count != 1 || is_dir(q->runs[0]))
		return open_run(f, q, err);
	s = wm_bundle_open(&f->own, q->runs[0], err);
	f->bundle = f->own;
	return s;
}

static void source_release(struct source *f)
{
	wm_bundle_free(f->own);
	wm_analysis_release(&f->a);
}

static enum wm_status static_report_check(const struct wm_opts *o,
					  struct wm_err *err)
{
	for (size_t i = 0; i < o->gates.count; i++)
		if (o->gates.gate[i].kind != WM_GATE_GROWTH ||
		    o->request.run_count != 2)
			return wm_err_set(err, WM_USAGE,
					  "--fail-on %s: "
					  "--static-report takes only growth, "
					  "of two",
					  o->gates.gate[i].text);
	return WM_OK;
}

static int report_one(const struct wm_opts *o, struct wm_doc *d)
{
	struct source f = { .own = NULL };
	int status;
	enum wm_status s = open_source(&f, &o->request, d->err);

	if (!s)
		s = wm_static_build(f.bundle, f.own ? NULL : &f.share,
				    wm_top(o, VARIABLES_SHOWN), d, d->err);
	s = wm_doc_close(d, s);
	wm_print_notes(&f.a, o->quiet);
	wm_print_outside(&f.a, o->quiet);
	status = wm_exit_status(s, f.a.partial, d->err);
	source_release(&f);
	return status;
}

static int report_two(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_request quick = o->request;
	struct wm_findings findings = { .gates = NULL };
	struct wm_static_pair pair = { .findings = &findings };
	struct source f[2] = { { .own = NULL }, { .own = NULL } };
	enum wm_status s = WM_OK;
	int status;

	/* only heads and call paths are read: no pass needs the events */
	quick.wish.needs = 0;
	quick.run_count = 1;
	quick.several = true;
	for (size_t i = 0; i < 2 && !s; i++) {
		quick.runs = o->request.runs + i;
		s = open_source(&f[i], &quick, d->err);
		if (s)
			break;
		pair.census[i] = wm_bundle_census(f[i].bundle);
		pair.given[i] = o->request.runs[i];
	}
	if (!s)
		s = wm_static_compare(&pair, o, d, d->err);
	s = wm_doc_close(d, s);
	for (size_t i = 0; i < 2; i++) {
		wm_print_notes(&f[i].a, o->quiet);
		wm_print_outside(&f[i].a, o->quiet);
	}
	status = wm_exit_gates(o, s, f[0].a.partial || f[1].a.partial,
			       &findings, d->err);
	for (size_t i = 0; i < 2; i++)
		source_release(&f[i]);
	wm_findings_release(&findings);
	return status;
}

static int static_report_main(const struct wm_opts *o, struct wm_doc *d)
{
	return o->request.run_count == 2 ? report_two(o, d) : report_one(o, d);
}

const struct wm_report wm_static_report_report = {
	.name = "static-report",
	.help = "static memory by variable, of app.wm or RUN; A B: growth",
	.needs = WM_NEEDS(heap),
	.check = static_report_check,
	.alone = static_report_main,
	.forms = WM_GATES,
};
