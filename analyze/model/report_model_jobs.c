/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and predictions, a row for each: in the text, and as CSV. */
#include "analyze/model/report_model.h"

#include <stdio.h>

#include "analyze/base/units.h"
#include "analyze/model/model_text.h"
#include "analyze/render/doc.h"
#include "analyze/report/text.h"

static void put_plain(struct wm_table *t, double v)
{
	struct wm_buf b;

	wm_table_text(t, wm_model_number(&b, v));
}

static const struct wm_table_column job_columns[] = {
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "ranks", "ranks", WM_UNIT_TEXT },
	{ "size", "size", WM_UNIT_TEXT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "low", "low", WM_UNIT_BYTES },
	{ "high", "high", WM_UNIT_BYTES },
	{ "mean_bytes", "mean rank", WM_UNIT_BYTES },
	{ "rank0_bytes", "rank 0", WM_UNIT_BYTES },
	{ "measured", NULL, WM_UNIT_BYTES },
	{ "error", NULL, WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static const struct wm_table_column check_columns[] = {
	{ "kind", "run", WM_UNIT_TEXT },
	{ "ranks", "ranks", WM_UNIT_TEXT },
	{ "size", "size", WM_UNIT_TEXT },
	{ "measured", "measured", WM_UNIT_BYTES },
	{ "bytes", "model", WM_UNIT_BYTES },
	{ "error", "error", WM_UNIT_TEXT },
	{ "mean_error", "mean rank", WM_UNIT_TEXT },
	{ "rank0_error", "rank 0", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

static void put_job(struct wm_table *t, const char *kind,
		    const struct wm_model_answer *a)
{
	bool range = a->said[WM_VIEW_worst].has_range;
	char error[32];

	wm_table_text(t, kind);
	put_plain(t, a->point.n);
	put_plain(t, a->point.p);
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].bytes));
	wm_table_known(t, range, wm_rounded(a->said[WM_VIEW_worst].low));
	wm_table_known(t, range, wm_rounded(a->said[WM_VIEW_worst].high));
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_mean].bytes));
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_rank0].bytes));
	if (!a->job) {
		wm_table_none(t);
		wm_table_text(t, NULL);
		return;
	}
	wm_table_uint(t, wm_rounded(a->job->bytes[WM_VIEW_worst]));
	snprintf(error, sizeof(error), "%.6f",
		 wm_model_error(a, WM_VIEW_worst));
	wm_table_text(t, error);
}

static void put_check(struct wm_table *t, const char *kind,
		      const struct wm_model_answer *a)
{
	char error[32];
	size_t v;

	wm_table_text(t, kind);
	put_plain(t, a->point.n);
	put_plain(t, a->point.p);
	wm_table_uint(t, wm_rounded(a->job->bytes[WM_VIEW_worst]));
	wm_table_uint(t, wm_rounded(a->said[WM_VIEW_worst].bytes));
	for (v = 0; v < WM_VIEWS; v++) {
		snprintf(error, sizeof(error), "%+.2f %%",
			 100 * wm_model_error(a, v));
		wm_table_text(t, error);
	}
}

void wm_model_table(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	wm_table_init(&t, job_columns);
	for (i = 0; i < m->runs->args.runs; i++)
		put_job(&t, "run", &m->run[i]);
	for (i = 0; i < m->checks; i++)
		put_job(&t, "check", &m->check[i]);
	for (i = 0; i < m->asks; i++)
		put_job(&t, "prediction", &m->ask[i]);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

void wm_model_jobs(const struct wm_model_report *m, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	wm_doc_heading(d, "Runs and what the model says of them");
	wm_table_init(&t, check_columns);
	for (i = 0; i < m->runs->args.runs; i++)
		put_check(&t, "modelled", &m->run[i]);
	for (i = 0; i < m->checks; i++)
		put_check(&t, "check", &m->check[i]);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
	wm_doc_heading(
		d, "Predictions: the worst rank%s, mean, rank 0",
		m->runs->model[0].part[0].crossed ?
			" with its interval" :
			" with the range of all that explains both runs");
	wm_table_init(&t, job_columns);
	for (i = 0; i < m->asks; i++)
		put_job(&t, "prediction", &m->ask[i]);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

static const struct wm_table_column origin_columns[] = {
	{ "run", "run", WM_UNIT_TEXT },
	{ "started", "started", WM_UNIT_WORDS },
	{ "build", "build", WM_UNIT_WORDS },
	{ "command", "command", WM_UNIT_TEXT },
	{ NULL, NULL, 0 }
};

/* As wm_model_jobs() has them, modelled ones first. */
void wm_model_origins(const struct wm_model_report *m, struct wm_doc *d)
{
	const struct wm_model_runs *r = m->runs;
	struct wm_table t;
	size_t i, k;

	wm_doc_heading(d, "Where the runs come from");
	wm_table_init(&t, origin_columns);
	for (i = 0; i < r->jobs; i++) {
		const struct wm_model_job *job = &r->job[i];
		char build[2 * 6 + 1] = "";

		for (k = 0; k < job->build_size && k < 6; k++)
			sprintf(build + 2 * k, "%02x", job->build[k]);
		wm_table_text(&t, job->id);
		wm_table_text(&t, job->started);
		wm_table_text(&t, build);
		wm_table_text(&t, job->command);
	}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}
