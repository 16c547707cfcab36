/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: how the memory of a rank depends on the job.
 */
#include "analyze/model/report_model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/job/retained.h"
#include "analyze/render/output.h"
#include "analyze/report/exit.h"
#include "analyze/report/report.h"

static enum wm_status model_check(const struct wm_opts *o, struct wm_err *err)
{
	struct wm_model_args a;
	enum wm_status s = wm_model_args_parse(&a, o, err);

	wm_model_args_release(&a);
	return s;
}

static unsigned model_wants(const struct wm_opts *o)
{
	return o->quantity ? WM_NEEDS(working_set) : 0;
}

static enum wm_status build_model(const struct wm_model_report *m,
				  const struct wm_opts *o, struct wm_doc *d)
{
	enum wm_status s = WM_OK;

	if (wm_doc_wants(d, WM_FOR_TEXT))
		s = wm_model_people(m, o, d, d->err);
	if (!s && wm_doc_wants(d, WM_FOR_DATA))
		s = wm_model_data(m, &d->data, d->err);
	if (!s && wm_doc_wants(d, WM_FOR_CSV))
		wm_model_table(m, d);
	return s;
}

/* --svg FILE, beside what else is written. */
static enum wm_status draw_model(const struct wm_model_report *m,
				 const struct wm_opts *o, struct wm_err *err)
{
	struct wm_output out;
	enum wm_status s = wm_output_open(&out, o->svg, o->force, err);

	if (s)
		return s;
	wm_model_svg(m, out.f);
	return wm_output_close(&out, WM_OK, err);
}

static int model_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_runs *runs = calloc(1, sizeof(*runs));
	struct wm_model_report *m = calloc(1, sizeof(*m));
	enum wm_status s = WM_OK;
	bool partial = false;

	if (!runs || !m)
		s = wm_no_memory(d->err, "the model");
	if (!s)
		s = wm_model_runs_read(runs, o, d->err);
	if (!s) {
		wm_model_answers(m, runs);
		if (o->svg)
			s = draw_model(m, o, d->err);
		if (!s && o->page)
			s = wm_model_page(m, o, d->out, d->err);
		else if (!s && !(o->svg && strcmp(o->svg, "-") == 0))
			s = build_model(m, o, d);
	}
	s = wm_doc_close(d, s);
	if (runs) {
		partial = runs->partial;
		wm_model_runs_release(runs);
	}
	free(runs);
	free(m);
	return wm_exit_status(s, partial, d->err);
}

const struct wm_report wm_model_report = {
	.name = "model",
	.help = "memory of other jobs, from two RUNs or more; see\n"
		"--problem-size",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases),
	.retains = WM_RETAINS(max) | WM_RETAINS_EACH,
	.check = model_check,
	.wants = model_wants,
	.alone = model_main,
	.forms = WM_OWN_PICTURE | WM_HAS_PAGE,
};
