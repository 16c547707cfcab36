/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input for Extra-P: bytes at the peak of each call path and of all together,
 * measured in several runs.  A run is a point: its number of ranks, p, and with
 * --problem-size the size of its problem.  Runs at the same point are repetitions.
 * A call path that a run does not have has 0 bytes there.
 *
 * Text, or with --json the newer of Extra-P's JSON formats.
 * https://github.com/extra-p/extrap/blob/master/docs/file-formats.md
 */
#include "analyze/export/export.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/units.h"
#include "analyze/job/outside.h"
#include "analyze/queries/profile.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"
#include "analyze/render/output.h"
#include "analyze/replay/pass.h"
#include "analyze/report/exit.h"
#include "wm/version.h"

#define METRIC "peak_bytes"
#define TOTAL "(total)" /* no function is called so */

struct run {
	struct wm_profile profile;
	char *origin; /* comments */
	uint64_t total;
	double ranks, size;
	size_t point; /* index of the first run at this point */
};

struct study {
	struct run *run;
	size_t runs;
	double *ranks, *sizes; /* of each run; NULL: not given */
	const char **path; /* of all runs, sorted */
	size_t paths;
	bool partial;
};

/* @list of --problem-size or --run-ranks, NULL: not given, into *@v: a number for each run,
 * malloc'ed. */
static enum wm_status take_list(const struct study *s, const char *option,
				const char *list, double **v,
				struct wm_err *err)
{
	size_t most = list ? strlen(list) / 2 + 1 : 0, n;

	if (!list)
		return WM_OK;
	*v = calloc(most, sizeof(**v));
	if (!*v)
		return wm_no_memory(err, NULL);
	n = wm_parse_list(list, wm_take_number, *v, most);
	if (!n)
		return wm_err_set(err, WM_USAGE,
				  "%s %s: not numbers above 0 "
				  "with commas between them",
				  option, list);
	if (n != s->runs)
		return wm_err_set(err, WM_USAGE,
				  "%s has %zu numbers for %zu "
				  "runs",
				  option, n, s->runs);
	return WM_OK;
}

/* What can be said before anything is read. */
static enum wm_status take_lists(struct study *s, const struct wm_opts *o,
				 struct wm_err *err)
{
	enum wm_status status = take_list(s, "--run-ranks", o->ranks, &s->ranks,
					  err);

	if (!status)
		status = take_list(s, "--problem-size", o->sizes, &s->sizes,
				   err);
	return status ? status : wm_output_check(o->output, err);
}

static void set_point(struct study *s, size_t i, uint64_t ranks)
{
	struct run *r = &s->run[i];

	r->ranks = s->ranks ? s->ranks[i] : (double)ranks;
	r->size = s->sizes ? s->sizes[i] : 0;
	while (s->run[r->point].ranks != r->ranks ||
	       s->run[r->point].size != r->size)
		r->point++;
}

/* Where a run comes from, as comments; malloc'ed, NULL: no memory. */
static char *origin_text(const struct wm_analysis *a)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	wm_export_origin(a, a->chosen == WM_ALL_RANKS ? 0 : a->chosen, "# ",
			 out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* Run number @i: read it, keep its names. */
static enum wm_status read_run(struct study *s, const struct wm_opts *o,
			       size_t i, struct wm_err *err)
{
	struct wm_request one = o->request;
	struct wm_analysis a;
	enum wm_status status;
	size_t k;

	if (o->request.run_count) {
		one.runs += i;
		one.run_count = 1;
		one.several = true;
	}
	status = wm_analysis_read(&a, &one, err);
	wm_print_notes(&a, o->quiet);
	s->partial |= a.partial;
	if (!status)
		status = wm_profile_make(&s->run[i].profile, &a, a.use, err);
	if (!status)
		set_point(s, i, a.job_size);
	if (!status && !(s->run[i].origin = origin_text(&a)))
		status = wm_no_memory(err, NULL);
	for (k = 0; k < s->run[i].profile.count; k++)
		s->run[i].total += s->run[i].profile.row[k].use.peak_bytes;
	wm_print_outside(&a, o->quiet);
	wm_analysis_release(&a);
	return status;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Call paths of all runs that held something at the peak of one. */
static enum wm_status gather_paths(struct study *s, struct wm_err *err)
{
	size_t i, k, n = 1;

	for (i = 0; i < s->runs; i++)
		n += s->run[i].profile.count;
	s->path = calloc(n, sizeof(*s->path));
	if (!s->path)
		return wm_no_memory(err, NULL);
	for (i = 0; i < s->runs; i++)
		for (k = 0; k < s->run[i].profile.count; k++)
			if (s->run[i].profile.row[k].use.peak_bytes)
				s->path[s->paths++] =
					s->run[i].profile.row[k].path;
	qsort(s->path, s->paths, sizeof(*s->path), by_text);
	for (i = n = 0; i < s->paths; i++)
		if (!n || strcmp(s->path[n - 1], s->path[i]) != 0)
			s->path[n++] = s->path[i];
	s->paths = n;
	return WM_OK;
}

/* Bytes of @path, NULL: of all, in @r. */
static uint64_t bytes_of(const struct run *r, const char *path)
{
	const struct wm_profile_row *row;

	if (!path)
		return r->total;
	row = wm_profile_find(&r->profile, path);
	return row ? row->use.peak_bytes : 0;
}

/* "main->solve", from "main;solve"; an arrow in a name is taken apart, as
 * Extra-P would.  malloc'ed, NULL: no memory. */
static char *callpath_text(const char *path)
{
	const char *from = path ? *path ? path : WM_NO_CALL_PATH : TOTAL;
	char *text = malloc(2 * strlen(from) + 1), *to = text;

	for (; text && *from; from++) {
		if (*from == ';')
			*to++ = '-', *to++ = '>';
		else if (*from == '-' && from[1] == '>')
			*to++ = '-', *to++ = ' ';
		else
			*to++ = *from;
	}
	if (text)
		*to = 0;
	return text;
}

/* Digits after the point that @v needs to be read back as it is. */
static int digits_of(double v)
{
	char text[1400]; /* the smallest double has 1,074 */
	int n = 0;

	while (snprintf(text, sizeof(text), "%.*f", n, v) &&
	       strtod(text, NULL) != v)
		n++;
	return n;
}

static void put_number(FILE *out, double v)
{
	fprintf(out, "%.*f", digits_of(v), v);
}

static void put_text_head(const struct study *s, FILE *out)
{
	size_t i;

	fputs("# wm-analyze " WM_VERSION "\n", out);
	for (i = 0; i < s->runs; i++)
		fputs(s->run[i].origin, out);
	fprintf(out, "PARAMETER p%s\nPOINTS", s->sizes ? " size" : "");
	for (i = 0; i < s->runs; i++) {
		if (s->run[i].point != i)
			continue;
		fputs(" (", out);
		put_number(out, s->run[i].ranks);
		if (s->sizes) {
			putc(' ', out);
			put_number(out, s->run[i].size);
		}
		putc(')', out);
	}
	fputs("\nMETRIC " METRIC "\n", out);
}

/* Number @i of the values: the runs at the point of run @i. */
static void put_text_values(const struct study *s, const char *path,
			    const char *name, FILE *out)
{
	size_t i, k;

	fprintf(out, "REGION %s\n", name);
	for (i = 0; i < s->runs; i++) {
		if (s->run[i].point != i)
			continue;
		fputs("DATA", out);
		for (k = i; k < s->runs; k++)
			if (s->run[k].point == i)
				fprintf(out, " %" PRIu64,
					bytes_of(&s->run[k], path));
		putc('\n', out);
	}
}

static void put_json_number(struct wm_json *j, double v)
{
	wm_json_real(j, NULL, v, digits_of(v));
}

static void put_json_values(const struct study *s, const char *path,
			    const char *name, struct wm_json *j)
{
	size_t i, k;

	wm_json_object(j, name);
	wm_json_array(j, METRIC);
	for (i = 0; i < s->runs; i++) {
		if (s->run[i].point != i)
			continue;
		wm_json_flat_object(j, NULL);
		wm_json_array(j, "point");
		put_json_number(j, s->run[i].ranks);
		if (s->sizes)
			put_json_number(j, s->run[i].size);
		wm_json_end_array(j);
		wm_json_array(j, "values");
		for (k = i; k < s->runs; k++)
			if (s->run[k].point == i)
				wm_json_uint(j, NULL,
					     bytes_of(&s->run[k], path));
		wm_json_end_array(j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
}

static enum wm_status put_study(const struct study *s, struct wm_json *j,
				FILE *out, struct wm_err *err)
{
	size_t i;

	for (i = 0; i <= s->paths; i++) {
		const char *path = i ? s->path[i - 1] : NULL;
		char *name = callpath_text(path);

		if (!name)
			return wm_no_memory(err, NULL);
		if (j)
			put_json_values(s, path, name, j);
		else
			put_text_values(s, path, name, out);
		free(name);
	}
	return WM_OK;
}

static enum wm_status put_file(const struct study *s, const struct wm_opts *o,
			       FILE *out, struct wm_err *err)
{
	struct wm_json j = WM_JSON_INIT(out);
	enum wm_status status;

	if (!o->json) {
		put_text_head(s, out);
		return put_study(s, NULL, out, err);
	}
	wm_json_object(&j, NULL);
	wm_json_flat_array(&j, "parameters");
	wm_json_text(&j, NULL, "p");
	if (s->sizes)
		wm_json_text(&j, NULL, "size");
	wm_json_end_array(&j);
	wm_json_object(&j, "measurements");
	status = put_study(s, &j, out, err);
	wm_json_end_object(&j);
	wm_json_end_object(&j);
	return status;
}

static void release_study(struct study *s)
{
	size_t i;

	for (i = 0; s->run && i < s->runs; i++) {
		wm_profile_release(&s->run[i].profile);
		free(s->run[i].origin);
	}
	free(s->run);
	free(s->path);
	free(s->ranks);
	free(s->sizes);
}

int wm_export_extrap(const struct wm_opts *o, struct wm_doc *d)
{
	size_t runs = o->request.run_count;
	struct study s = { .runs = runs ? runs : 1 };
	enum wm_status status;
	struct wm_output out;
	size_t i;

	status = take_lists(&s, o, d->err);
	if (!status)
		s.run = calloc(s.runs, sizeof(*s.run));
	if (!status && !s.run)
		status = wm_err_set(d->err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < s.runs && !status; i++)
		status = read_run(&s, o, i, d->err);
	if (!status)
		status = gather_paths(&s, d->err);
	if (!status)
		status = wm_output_open(&out, o->output, o->force, d->err);
	if (!status)
		status = wm_output_close(&out, put_file(&s, o, out.f, d->err),
					 d->err);
	release_study(&s);
	return wm_exit_status(status, s.partial, d->err);
}
