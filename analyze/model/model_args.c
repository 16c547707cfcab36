/* SPDX-License-Identifier: Apache-2.0 */
/* The options of --model. */
#include "analyze/model/report_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/units.h"

/* A whole number; 0: none. */
static double take_count(const char **text)
{
	double v = wm_take_number(text);

	return v == floor(v) ? v : 0;
}

/* "1e6", or cells, "100x100x100"; 0: neither. */
static double take_size(const char **text)
{
	double size = wm_take_number(text);

	while (size > 0 && **text == 'x') {
		++*text;
		size *= take_count(text);
	}
	return size;
}

static enum wm_status bad_value(const char *option, const char *value,
				const char *want, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "%s %s: not %s", option, value, want);
}

/* One value for all runs, or one for each and each to check. */
static enum wm_status take_sizes(struct wm_model_args *a, const char *text,
				 struct wm_err *err)
{
	size_t n, i;

	if (!text)
		return wm_err_set(
			err, WM_USAGE,
			"--model needs the size of the problem of the runs: "
			"--problem-size P when it is the same, or "
			"--problem-size P,P,... (cells, atoms, unknowns: what "
			"grows with the problem)");
	n = wm_parse_list(text, take_size, a->size, WM_MODEL_RUNS);
	if (!n)
		return bad_value("--problem-size", text,
				 "sizes of the problem, like 1e6 or "
				 "100x100x100, with commas between them",
				 err);
	for (i = 1; n == 1 && i < a->runs + a->checks; i++)
		a->size[i] = a->size[0];
	if (n == 1 || n == a->runs + a->checks)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "--problem-size has %zu values for %zu runs%s: give "
			  "one for all, or one for each run in their order",
			  n, a->runs + a->checks,
			  a->checks ? " (those to check last)" : "");
}

static enum wm_status take_asks(struct wm_model_args *a, const char *text,
				struct wm_err *err)
{
	const char *at = text;

	do {
		struct wm_point q = { take_count(&at), 0 };
		bool sized = *at == ':';

		at += sized;
		q.p = sized ? take_size(&at) : 0;
		if (!(q.n > 0) || (sized && !(q.p > 0)) ||
		    (*at && *at != ',') || a->asks == WM_MODEL_RUNS)
			return bad_value("--predict", text,
					 "RANKS or RANKS:SIZE, "
					 "with commas between them",
					 err);
		a->ask[a->asks++] = q;
	} while (*at++);
	return WM_OK;
}

/* RUN RUN..., and those of --check RUN,RUN... */
static enum wm_status take_runs(struct wm_model_args *a,
				const struct wm_opts *o, struct wm_err *err)
{
	size_t i, n = o->request.run_count;
	char *rest, *name;

	if (n < 2)
		return wm_err_set(err, WM_USAGE,
				  "a model needs two runs or more, with "
				  "different numbers of ranks or sizes of the "
				  "problem");
	for (i = 0; i < n && i < WM_MODEL_RUNS; i++)
		a->run[i] = o->request.runs[i];
	a->runs = i;
	rest = a->names = o->check_runs ? strdup(o->check_runs) : NULL;
	if (o->check_runs && !rest)
		return wm_no_memory(err, NULL);
	while ((name = strsep(&rest, ","))) {
		if (!*name)
			return bad_value("--check", "''", "a run", err);
		if (n++ < WM_MODEL_RUNS)
			a->run[a->runs + a->checks++] = name;
	}
	return n <= WM_MODEL_RUNS ?
		       WM_OK :
		       wm_err_set(err, WM_USAGE, "more than %d runs",
				  WM_MODEL_RUNS);
}

enum wm_status wm_model_args_parse(struct wm_model_args *a,
				   const struct wm_opts *o, struct wm_err *err)
{
	enum wm_status s;

	memset(a, 0, sizeof(*a));
	s = take_runs(a, o, err);
	if (!s)
		s = take_sizes(a, o->sizes, err);
	if (!s && o->predict)
		s = take_asks(a, o->predict, err);
	return s;
}

void wm_model_args_release(struct wm_model_args *a)
{
	free(a->names);
	memset(a, 0, sizeof(*a));
}
