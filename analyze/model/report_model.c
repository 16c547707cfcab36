/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --model: how the memory of a rank depends on the job.
 */
#include "analyze/model/report_model.h"

#include <errno.h>
#include <string.h>

#include "analyze/exit.h"
#include "analyze/job/kept.h"
#include "analyze/replay/pass.h"
#include "analyze/report/report.h"

static enum wm_status model_check(const struct wm_opts *o, struct wm_err *err)
{
	struct wm_model_args a;
	enum wm_status s = wm_model_args_parse(&a, o, err);

	wm_model_args_release(&a);
	return s;
}

static int model_main(const struct wm_opts *o)
{
	struct wm_model_runs runs;
	struct wm_model_report m;
	struct wm_err err = { "" };
	enum wm_status s = wm_model_runs_read(&runs, o, &err);
	int partial;

	if (!s) {
		wm_model_answers(&m, &runs);
		s = o->json ? wm_model_json(&m, stdout, &err) :
		    o->csv ? wm_model_csv(&m, stdout, &err) :
			     wm_model_report_text(&m, o, stdout, &err);
	}
	if (!s && (fflush(stdout) || ferror(stdout)))
		s = wm_err_set(&err, WM_IO, "output: %s", strerror(errno));
	partial = runs.partial;
	wm_model_runs_release(&runs);
	return wm_exit_status(s, partial, &err);
}

const struct wm_report wm_model_report = {
	.name = "model",
	.help = "memory of other jobs, from two RUNs or more; see --size",
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases),
	.keeps = WM_KEEPS(max) | WM_KEEPS(first) | WM_KEEPS(all),
	.check = model_check,
	.alone = model_main,
	.forms = WM_OWN_CSV,
};
