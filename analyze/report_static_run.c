/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --static-report: finds the bundle of an executable or of a run and hands it
 * to report_static.c.
 */
#include "analyze/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/exit.h"
#include "analyze/report_static.h"

#define VARIABLES_SHOWN 40

struct demangler {
	char *last;
};

static const char *demangle(void *context, const char *name)
{
	struct demangler *d = context;

	free(d->last);
	d->last = wm_demangle(name, NULL);
	return d->last;
}

static int is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The bundle in run directory @dir, else that of the program it traced. */
static enum wm_status open_run(struct wm_bundle **b, const struct wm_opts *o,
			       struct wm_analysis *a, struct wm_err *err)
{
	struct wm_opts quick = *o;
	enum wm_status s;
	size_t i;

	/* heads and call paths alone: no pass needs the events */
	s = wm_analysis_read(a, &quick, err);
	if (s)
		return s;
	for (i = 0; i < a->program_count && !*b; i++)
		*b = a->programs[i].bundle;
	if (*b)
		return WM_OK;
	return wm_err_set(err, WM_NOT_FOUND, "run %s of %s has no census of "
			  "static memory: no " WM_BUNDLE_NAME, a->id, a->name);
}

int wm_report_static_alone(const struct wm_opts *o)
{
	struct demangler d = { NULL };
	struct wm_static_params params = {
		.json = o->json,
		.top = o->top_given ? o->top : VARIABLES_SHOWN,
		.demangle = demangle,
		.context = &d,
	};
	struct wm_bundle *own = NULL, *b = NULL;
	struct wm_analysis a;
	struct wm_err err;
	enum wm_status s;
	int partial;

	memset(&a, 0, sizeof(a));
	if (o->run_count == 1 && !is_dir(o->runs[0])) {
		s = wm_bundle_open(&own, o->runs[0], &err);
		b = own;
	} else {
		s = open_run(&b, o, &a, &err);
	}
	if (!s)
		s = wm_report_static(b, &params, stdout, &err);
	wm_print_notes(o, &a);
	partial = a.partial;
	wm_bundle_free(own);
	wm_analysis_release(&a);
	free(d.last);
	return wm_exit_status(s, partial, &err);
}
