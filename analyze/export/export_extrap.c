/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input for Extra-P, its text format: bytes at the peak of the worst rank by
 * call path, and of all together, in the runs of a model.  A run is a point: its
 * number of ranks, p, and where that differs the size of its problem.  Runs at
 * the same point are repetitions.  A call path that a run does not have has 0
 * bytes there.
 * https://github.com/extra-p/extrap/blob/master/docs/file-formats.md
 */
#include "analyze/export/export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/base/whole.h"
#include "analyze/model/model_runs.h"
#include "analyze/render/doc.h"
#include "analyze/render/output.h"
#include "analyze/report/exit.h"
#include "wm/version.h"

/* What the worst rank of each run holds, [site * runs + run]; NULL: no
 * memory. */
static double *find_bytes(const struct wm_model *m)
{
	double *bytes = calloc(m->runs * m->sites + 1, sizeof(*bytes));
	double most[WM_MODEL_RUNS] = { 0 };
	size_t i, k;
	uint32_t part;

	for (i = 0; bytes && i < m->samples; i++)
		for (part = 0; part < m->parts; part++) {
			const struct wm_sample *s = &m->sample[i];
			double *run = bytes + s->run;
			double sum = wm_sample_sum(s, part);

			if (sum <= most[s->run])
				continue;
			most[s->run] = sum;
			for (k = 0; k < m->sites; k++)
				run[k * m->runs] = 0;
			for (k = 0; k < s->count; k++)
				if (s->held[k].part == part)
					run[s->held[k].site * m->runs] +=
						s->held[k].bytes;
		}
	return bytes;
}

/* As many digits as it needs to be read back as it is, without an exponent. */
static void put_number(FILE *out, double v)
{
	char text[1400]; /* the smallest double has 1,074 */
	int n = 0;

	while (snprintf(text, sizeof(text), "%.*f", n, v) &&
	       strtod(text, NULL) != v)
		n++;
	fputs(text, out);
}

/* The first run at the point of run @i. */
static size_t first_at(const struct wm_model *m, size_t i)
{
	size_t k = 0;

	while (m->point[k].n != m->point[i].n || m->point[k].p != m->point[i].p)
		k++;
	return k;
}

static void put_head(const struct wm_model_runs *r, FILE *out)
{
	const struct wm_model *m = &r->model;
	bool sizes = r->scaling != WM_SCALING_STRONG;
	size_t i;

	fputs("# wm-analyze " WM_VERSION "\n", out);
	for (i = 0; i < m->runs; i++) {
		const struct wm_model_job *j = &r->job[i];

		fprintf(out, "# %s run %s: %s%s%s\n", j->program, j->id,
			j->command ? j->command : "?",
			*j->started ? ", started " : "", j->started);
	}
	fprintf(out, "PARAMETER p%s\nPOINTS", sizes ? " size" : "");
	for (i = 0; i < m->runs; i++) {
		if (first_at(m, i) != i)
			continue;
		fputs(" (", out);
		put_number(out, m->point[i].n);
		if (sizes) {
			putc(' ', out);
			put_number(out, m->point[i].p);
		}
		putc(')', out);
	}
	fputs("\nMETRIC peak_bytes\n", out);
}

/* "main->solve", from "main;solve"; an arrow in a name is taken apart, as
 * Extra-P would. */
static void put_path(const char *path, FILE *out)
{
	for (; *path; path++) {
		if (*path == ';')
			fputs("->", out);
		else if (*path == '-' && path[1] == '>')
			fputs("- ", out);
		else
			putc(*path, out);
	}
}

/* A region called @path, of @bytes in each run. */
static void put_region(const struct wm_model *m, const char *path,
		       const double *bytes, FILE *out)
{
	size_t i, k;

	fputs("REGION ", out);
	put_path(*path ? path : WM_NO_CALL_PATH, out);
	putc('\n', out);
	for (i = 0; i < m->runs; i++) {
		if (first_at(m, i) != i)
			continue;
		fputs("DATA", out);
		for (k = i; k < m->runs; k++)
			if (first_at(m, k) == i)
				fprintf(out, " %" PRIu64, wm_rounded(bytes[k]));
		putc('\n', out);
	}
}

static enum wm_status put_file(const struct wm_model_runs *r, FILE *out,
			       struct wm_err *err)
{
	const struct wm_model *m = &r->model;
	double *bytes = find_bytes(m), total[WM_MODEL_RUNS] = { 0 };
	size_t i, k;

	if (!bytes)
		return wm_no_memory(err, NULL);
	for (i = 0; i < m->sites; i++)
		for (k = 0; k < m->runs; k++)
			total[k] += bytes[i * m->runs + k];
	put_head(r, out);
	put_region(m, "(total)", total, out); /* no function is called so */
	for (i = 0; i < m->sites; i++) {
		const double *row = bytes + m->order[i] * m->runs;

		for (k = 0; k < m->runs && !(row[k] > 0); k++)
			;
		if (k < m->runs)
			put_region(m, m->site[m->order[i]].path, row, out);
	}
	free(bytes);
	return WM_OK;
}

int wm_export_extrap(const struct wm_opts *o, struct wm_doc *d)
{
	struct wm_model_runs *r = calloc(1, sizeof(*r));
	struct wm_opts with = *o;
	enum wm_status s = r ? wm_output_check(o->output, d->err) :
			       wm_no_memory(d->err, NULL);
	bool partial = false;
	struct wm_output out;

	if (!with.sizes)
		with.sizes = "1"; /* the same in all runs */
	if (!s)
		s = wm_model_runs_read(r, &with, true, d->err);
	if (!s)
		s = wm_output_open(&out, o->output, o->force, d->err);
	if (!s)
		s = wm_output_close(&out, put_file(r, out.f, d->err), d->err);
	if (r) {
		partial = r->partial;
		wm_model_runs_release(r);
	}
	free(r);
	return wm_exit_status(s, partial, d->err);
}
