/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input for Extra-P, its JSON Lines: bytes at the peak of the worst rank by call
 * path, and of all together, in the runs of a model.  The parameters of a run
 * are its number of ranks, p, and where that differs the size of its problem.
 * A call path that a run does not have has 0 bytes there.
 * https://github.com/extra-p/extrap/blob/master/docs/file-formats.md
 */
#include "analyze/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/whole.h"
#include "analyze/model/model_runs.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"
#include "analyze/report/exit.h"

/* The bytes of the worst rank of each run at its peak, [site * runs + run];
 * behind the sites stand their sums.  NULL: no memory. */
static double *find_bytes(const struct wm_model *m)
{
	double *bytes = calloc(m->runs * (m->sites + 1), sizeof(*bytes));
	size_t i, k;
	uint32_t part;

	for (i = 0; bytes && i < m->samples; i++)
		for (part = 0; part < m->parts; part++) {
			const struct wm_sample *s = &m->sample[i];
			double *run = bytes + s->run;
			double sum = wm_sample_sum(s, part);

			if (sum <= run[m->sites * m->runs])
				continue;
			for (k = 0; k < m->sites; k++)
				run[k * m->runs] = 0;
			run[m->sites * m->runs] = sum;
			for (k = 0; k < s->count; k++)
				if (s->held[k].part == part)
					run[s->held[k].site * m->runs] +=
						s->held[k].bytes;
		}
	return bytes;
}

/* "main->solve", from "main;solve"; an arrow in a name is taken apart, as
 * Extra-P would.  malloc'ed, NULL: no memory. */
static char *callpath_text(const char *path)
{
	char *text = malloc(2 * strlen(path) + 1), *to = text;

	for (; text && *path; path++) {
		*to++ = *path == ';' ? '-' : *path;
		if (*path == ';')
			*to++ = '>';
		else if (*path == '-' && path[1] == '>')
			*to++ = ' ';
	}
	if (text)
		*to = 0;
	return text;
}

/* A line for each run. */
static void put_lines(const struct wm_model_runs *r, const char *path,
		      const double *bytes, FILE *out)
{
	size_t i;

	for (i = 0; i < r->model.runs; i++) {
		struct wm_json j = WM_JSON_INIT(out);

		j.tight = true;
		wm_json_object(&j, NULL);
		wm_json_object(&j, "params");
		wm_json_real(&j, "p", r->model.point[i].n, 0);
		if (r->scaling != WM_SCALING_STRONG)
			wm_json_real(&j, "size", r->model.point[i].p, 12);
		wm_json_end_object(&j);
		wm_json_text(&j, "callpath", path);
		wm_json_text(&j, "metric", "peak_bytes");
		wm_json_uint(&j, "value", wm_rounded(bytes[i]));
		wm_json_text(&j, "run", r->job[i].path);
		wm_json_end_object(&j);
	}
}

static enum wm_status put_file(const struct wm_model_runs *r, FILE *out,
			       struct wm_err *err)
{
	const struct wm_model *m = &r->model;
	double *bytes = find_bytes(m), *row = bytes, most;
	enum wm_status s = bytes ? WM_OK : wm_no_memory(err, NULL);
	size_t i, k;

	for (i = 0; i <= m->sites && !s; i++, row += m->runs) {
		/* no function is called so */
		const char *path = i < m->sites ? m->site[i].path : "(total)";
		char *text = callpath_text(*path ? path : WM_NO_CALL_PATH);

		for (most = 0, k = 0; k < m->runs; k++)
			most = fmax(most, row[k]);
		if (!text)
			s = wm_no_memory(err, NULL);
		else if (most > 0 || i == m->sites)
			put_lines(r, text, row, out);
		free(text);
	}
	free(bytes);
	return s;
}

int wm_export_extrap(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_runs *r = calloc(1, sizeof(*r));
	struct wm_opts with = *o;
	enum wm_status s = r ? WM_OK : wm_no_memory(d->err, NULL);
	bool partial = false;

	if (!with.sizes)
		with.sizes = "1"; /* the same in all runs */
	if (!s)
		s = wm_model_runs_read(r, &with, true, d->err);
	if (!s)
		s = put_file(r, d->out, d->err);
	s = wm_doc_close(d, s);
	if (r) {
		partial = r->partial;
		wm_model_runs_release(r);
	}
	free(r);
	return wm_exit_status(s, partial, d->err);
}
