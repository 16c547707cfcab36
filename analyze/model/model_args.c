/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_args.h"

#include <math.h>
#include <stdbool.h>
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

/* --problem-size, or --grid: one value for all runs, one for each, or one for
 * each and each to check. */
static enum wm_status take_sizes(struct wm_model_args *a, const char *option,
				 const char *text, struct wm_err *err)
{
	size_t n = wm_parse_list(text, take_size, a->size, WM_MODEL_RUNS), i;

	if (!n)
		return bad_value(option, text,
				 "sizes of the problem, like 1e6 or "
				 "100x100x100, with commas between them",
				 err);
	for (i = 1; n == 1 && i < a->runs; i++)
		a->size[i] = a->size[0];
	if (n == 1 || n == a->runs || n == a->runs + a->checks)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "%s has %zu values for %zu runs%s: give one for "
			  "all, or one for each run in their order",
			  option, n, a->runs + a->checks,
			  a->checks ? " (those to check last)" : "");
}

static enum wm_status take_ranks(struct wm_model_args *a, const char *text,
				 struct wm_err *err)
{
	size_t n = wm_parse_list(text, take_count, a->ranks, WM_MODEL_RUNS);

	if (!n)
		return bad_value("--run-ranks", text,
				 "numbers of ranks, with commas between them",
				 err);
	if (n == a->runs || n == a->runs + a->checks)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "--run-ranks has %zu values for %zu runs: give one "
			  "for each run in their order",
			  n, a->runs);
}

static enum wm_status take_asks(struct wm_model_args *a, const char *text,
				struct wm_err *err)
{
	const char *at = text;

	do {
		struct wm_point *q = &a->ask[a->asks];
		bool good = a->asks < WM_MODEL_RUNS;

		if (good) {
			q->n = take_count(&at);
			good = q->n > 0;
		}
		if (good && *at == ':') {
			at++;
			q->p = take_size(&at);
			good = q->p > 0;
		}
		if (!good || (*at && *at != ','))
			return bad_value("--predict", text,
					 "RANKS or RANKS:SIZE, "
					 "with commas between them",
					 err);
		a->asks++;
	} while (*at++);
	return WM_OK;
}

/* "RUN,RUN" */
static enum wm_status take_checks(struct wm_model_args *a, const char *text,
				  struct wm_err *err)
{
	const char *end;

	for (;; text = end + 1) {
		end = strchrnul(text, ',');
		if (end == text)
			return bad_value("--check", "''", "a run", err);
		if (a->runs + a->checks >= WM_MODEL_RUNS)
			return wm_err_set(err, WM_USAGE, "more than %d runs",
					  WM_MODEL_RUNS);
		a->check[a->checks] = strndup(text, (size_t)(end - text));
		if (!a->check[a->checks])
			return wm_no_memory(err, NULL);
		a->run[a->runs + a->checks] = a->check[a->checks];
		a->checks++;
		if (!*end)
			return WM_OK;
	}
}

static enum wm_status take_node(struct wm_model_args *a,
				const struct wm_opts *o, struct wm_err *err)
{
	const char *at = o->ranks_per_node;

	a->per_node = 1;
	if (o->node_memory &&
	    (!wm_parse_bytes(o->node_memory, &a->node) || !a->node))
		return bad_value("--node-memory", o->node_memory,
				 "a size like 64G", err);
	if (!at)
		return WM_OK;
	if (!a->node)
		return wm_err_set(err, WM_USAGE,
				  "--ranks-per-node needs --node-memory");
	a->per_node = take_count(&at);
	if (*at || !(a->per_node > 0))
		return bad_value("--ranks-per-node", o->ranks_per_node,
				 "a number from 1", err);
	return WM_OK;
}

static enum wm_status take_runs(struct wm_model_args *a,
				const struct wm_opts *o, struct wm_err *err)
{
	size_t i;

	a->runs = o->request.run_count;
	if (a->runs < 2)
		return wm_err_set(err, WM_USAGE,
				  "--model needs two runs or more, with "
				  "different numbers of ranks or sizes of the "
				  "problem");
	if (a->runs > WM_MODEL_RUNS)
		return wm_err_set(err, WM_USAGE, "more than %d runs",
				  WM_MODEL_RUNS);
	a->run = calloc(WM_MODEL_RUNS, sizeof(*a->run));
	a->check = calloc(WM_MODEL_RUNS, sizeof(*a->check));
	if (!a->run || !a->check)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->runs; i++)
		a->run[i] = o->request.runs[i];
	return o->check_runs ? take_checks(a, o->check_runs, err) : WM_OK;
}

enum wm_status wm_model_args_parse(struct wm_model_args *a,
				   const struct wm_opts *o, struct wm_err *err)
{
	const char *sizes = o->sizes ? o->sizes : o->grid;
	enum wm_status s;

	memset(a, 0, sizeof(*a));
	if (o->quantity && strcmp(o->quantity, "peak") != 0) {
		a->working_set = strcmp(o->quantity, "working-set") == 0;
		if (!a->working_set)
			return bad_value("--quantity", o->quantity,
					 "peak or working-set", err);
	}
	s = take_runs(a, o, err);
	if (!s && !sizes)
		s = wm_err_set(
			err, WM_USAGE,
			"--model needs the size of the problem of the runs: "
			"--problem-size P when it is the same, or "
			"--problem-size P,P,... (cells, atoms, unknowns: what "
			"grows with the problem)");
	if (!s)
		s = take_sizes(a, o->sizes ? "--problem-size" : "--grid", sizes,
			       err);
	if (!s && o->ranks)
		s = take_ranks(a, o->ranks, err);
	a->decomp = o->decomp != NULL;
	if (!s && o->predict)
		s = take_asks(a, o->predict, err);
	return s ? s : take_node(a, o, err);
}

void wm_model_args_release(struct wm_model_args *a)
{
	size_t i;

	for (i = 0; i < a->checks; i++)
		free(a->check[i]);
	free(a->check);
	free(a->run);
	memset(a, 0, sizeof(*a));
}
