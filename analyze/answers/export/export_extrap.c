/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input for Extra-P in its format JSON Lines: bytes at the peak by call path,
 * of the worst rank and of all ranks together, in the runs of a model.  The
 * parameters of a run are its number of ranks, p, and, if runs differ in it,
 * the size of its problem.  If a run does not have a call path, the path has 0
 * bytes there.
 * https://github.com/extra-p/extrap/blob/master/docs/file-formats.md
 */
#include "analyze/answers/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/answers/model/report_model.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"
#include "analyze/answers/exit.h"

/* Returns "main->solve" for "main;solve", malloc'ed, or NULL if memory is
 * short.  An arrow within a name is broken up, as Extra-P would split the name
 * there. */
static char *callpath_text(const char *path)
{
	char *text = malloc(2 * strlen(path) + 1), *to = text;

	for (; text && *path; path++)
		to = stpcpy(to, *path == ';' ? "->" :
				*path == '-' && path[1] == '>' ?
					       "- " :
					       (char[]){ *path, 0 });
	if (text)
		*to = 0;
	return text;
}

/* Writes a line for each run; the number after the last site is the sum of
 * all. */
static enum wm_status put_site(const struct wm_model_runs *r, size_t site,
			       FILE *out, struct wm_err *err)
{
	const struct wm_model *m = &r->model;
	/* no function has this name */
	const char *path = site < m->sites ? m->site[site].path : "(total)";
	char *text = callpath_text(*path ? path : WM_NO_CALL_PATH);
	double bytes[WM_MODEL_RUNS], most = 0;

	if (!text)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < r->runs; i++) {
		const struct wm_sample *s = &m->sample[r->job[i].worst];

		bytes[i] = site == m->sites ? r->job[i].bytes :
			   site < s->count  ? s->held[site] :
					      0;
		most = fmax(most, bytes[i]);
	}
	for (size_t i = 0; i < r->runs && (most > 0 || site == m->sites); i++) {
		struct wm_json j = WM_JSON_INIT(out);

		j.tight = true;
		wm_json_object(&j, NULL);
		wm_json_object(&j, "params");
		wm_json_real(&j, "p", r->job[i].point.n, 0);
		if (!m->design.one_p)
			wm_json_real(&j, "size", r->job[i].point.p, 12);
		wm_json_end_object(&j);
		WM_JSON_ADD(&j, "callpath metric run value", text, "peak_bytes",
			    r->job[i].path, wm_rounded(bytes[i]));
		wm_json_end_object(&j);
	}
	free(text);
	return WM_OK;
}

int wm_export_extrap(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_runs r = { .runs = 0 };
	struct wm_opts with = *o;
	enum wm_status s;
	int status;

	if (!with.sizes)
		with.sizes = "1"; /* the same in all runs */
	s = wm_model_runs_read(&r, &with, true, d->err);
	for (size_t i = 0; !s && i <= r.model.sites; i++)
		s = put_site(&r, i, d->out, d->err);
	s = wm_doc_close(d, s);
	status = wm_exit_status(s, r.partial, d->err);
	wm_model_runs_release(&r);
	return status;
}
