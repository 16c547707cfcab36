/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_args.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/units.h"

/* "512x512x512" */
static bool take_grid(const char **text, struct wm_grid *g)
{
	memset(g, 0, sizeof(*g));
	for (;;) {
		double v = wm_take_number(text);

		if (!(v >= 1) || g->dims == WM_GRID_DIMS)
			return false;
		g->cells[g->dims++] = v;
		if (**text != 'x')
			return true;
		++*text;
	}
}

static double grid_cells(const struct wm_grid *g)
{
	double v = 1;
	size_t i;

	for (i = 0; i < g->dims; i++)
		v *= g->cells[i];
	return v;
}

/* "1e6" or "100x100x100" */
static double take_size(const char **text)
{
	struct wm_grid g;

	/* below 1 there is no grid, but there may be a size */
	if (strchr("0.", **text))
		return wm_take_number(text);
	return take_grid(text, &g) ? grid_cells(&g) : 0;
}

static enum wm_status bad_value(const char *option, const char *value,
				const char *want, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "%s %s: not %s", option, value, want);
}

/* A list where one stands for all @all, else one for each of the first
 * @least or for all of them. */
static enum wm_status spread_out(const char *option, size_t got, size_t least,
				 size_t all, struct wm_err *err)
{
	if (got == 1 || got == least || got == all)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "%s has %zu values for %zu runs%s: "
			  "give one for all, or one for each run in their "
			  "order",
			  option, got, all,
			  all > least ? " (those to check last)" : "");
}

static enum wm_status take_sizes(struct wm_model_args *a, const char *text,
				 struct wm_err *err)
{
	size_t n = wm_parse_list(text, take_size, a->size, WM_MODEL_RUNS), i;
	enum wm_status s;

	if (!n)
		return bad_value("--problem-size", text,
				 "sizes of the problem, like 1e6 or "
				 "100x100x100, with commas between them",
				 err);
	s = spread_out("--problem-size", n, a->runs, a->runs + a->checks, err);
	for (i = 1; n == 1 && i < a->runs; i++)
		a->size[i] = a->size[0];
	return s;
}

/* A whole number; 0: none. */
static double take_count(const char **text)
{
	double v = wm_take_number(text);

	return v == floor(v) ? v : 0;
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
			  "--run-ranks has %zu values for %zu runs: "
			  "give one for each run in their order",
			  n, a->runs);
}

static enum wm_status take_grids(struct wm_grid *g, size_t *count,
				 const char *option, const char *text,
				 struct wm_err *err)
{
	const char *at = text;

	*count = 0;
	do {
		if (*count == WM_MODEL_RUNS || !take_grid(&at, &g[*count]) ||
		    (*at && *at != ','))
			return bad_value(option, text, "of the form 4x2x1",
					 err);
		++*count;
	} while (*at++);
	return WM_OK;
}

static enum wm_status take_space(struct wm_model_args *a,
				 const struct wm_opts *o, struct wm_err *err)
{
	size_t n = 0, i, all = a->runs + a->checks;
	enum wm_status s;

	if (!o->grid && o->decomp)
		return wm_err_set(err, WM_USAGE,
				  "--decomp needs the grid that "
				  "it cuts: add --grid");
	if (!o->grid)
		return WM_OK;
	s = take_grids(a->grid, &n, "--grid", o->grid, err);
	if (!s)
		s = spread_out("--grid", n, a->runs, all, err);
	for (i = 1; n == 1 && i < all; i++)
		a->grid[i] = a->grid[0];
	if (!s && o->decomp)
		s = take_grids(a->decomp, &a->decomps, "--decomp", o->decomp,
			       err);
	for (i = 0; i < a->decomps && !s; i++)
		if (a->decomp[i].dims != a->grid[0].dims)
			s = wm_err_set(err, WM_USAGE,
				       "--decomp and --grid "
				       "have not as many dimensions");
	for (i = 1; i < n && !s; i++)
		if (a->grid[i].dims != a->grid[0].dims)
			s = bad_value("--grid", o->grid, "of one dimension",
				      err);
	for (i = 0; i < all && !s && !o->sizes; i++)
		a->size[i] = a->grid[i].dims ? grid_cells(&a->grid[i]) : 0;
	return s;
}

static enum wm_status take_asks(struct wm_model_args *a, const char *text,
				struct wm_err *err)
{
	const char *at = text;

	do {
		struct wm_model_ask *q = &a->ask[a->asks];
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
		end = strchr(text, ',');
		if (!end)
			end = text + strlen(text);
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
				  "--ranks-per-node needs "
				  "--node-memory");
	a->per_node = take_count(&at);
	if (*at || !(a->per_node > 0))
		return bad_value("--ranks-per-node", o->ranks_per_node,
				 "a number from 1", err);
	return WM_OK;
}

enum wm_status wm_model_args_parse(struct wm_model_args *a,
				   const struct wm_opts *o, struct wm_err *err)
{
	enum wm_status s;
	size_t i;

	memset(a, 0, sizeof(*a));
	if (o->quantity && strcmp(o->quantity, "peak") != 0) {
		a->working_set = strcmp(o->quantity, "working-set") == 0;
		if (!a->working_set)
			return bad_value("--quantity", o->quantity,
					 "peak or working-set", err);
	}
	a->runs = o->request.run_count;
	if (a->runs < 2)
		return wm_err_set(err, WM_USAGE,
				  "--model needs two runs or "
				  "more, with different numbers of ranks or "
				  "sizes of the problem");
	if (a->runs > WM_MODEL_RUNS)
		return wm_err_set(err, WM_USAGE, "more than %d runs",
				  WM_MODEL_RUNS);
	a->run = calloc(WM_MODEL_RUNS, sizeof(*a->run));
	a->check = calloc(WM_MODEL_RUNS, sizeof(*a->check));
	if (!a->run || !a->check)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->runs; i++)
		a->run[i] = o->request.runs[i];
	s = o->check_runs ? take_checks(a, o->check_runs, err) : WM_OK;
	if (!s && !o->sizes && !o->grid)
		s = wm_err_set(
			err, WM_USAGE,
			"--model needs the size of the "
			"problem of the runs: --problem-size P when it is the "
			"same, or --problem-size P,P,... (cells, atoms, "
			"unknowns: what grows with the problem)");
	if (!s && o->sizes)
		s = take_sizes(a, o->sizes, err);
	if (!s && o->ranks)
		s = take_ranks(a, o->ranks, err);
	if (!s)
		s = take_space(a, o, err);
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

/* ---- faces ---- */

/* Cells on the faces of a box; @cut: which dimensions count. */
static double box_surface(const double *box, size_t dims, const bool *cut)
{
	double sum = 0, face;
	size_t i, k;

	for (i = 0; i < dims; i++) {
		if (cut && !cut[i])
			continue;
		for (face = 1, k = 0; k < dims; k++)
			face *= k == i ? 1 : box[k];
		sum += 2 * face;
	}
	return sum;
}

static void set_surface(struct wm_point *x, const double *box, size_t dims,
			const bool *cut)
{
	double face = 1, least = box[0];
	size_t i;

	for (i = 0; i < dims; i++) {
		face *= box[i];
		least = fmin(least, box[i]);
	}
	x->largest = face / least;
	x->faces = box_surface(box, dims, NULL);
	x->cuts = box_surface(box, dims, cut);
}

static void measure_box(const struct wm_grid *g, const double *ranks,
			struct wm_point *x)
{
	double box[WM_GRID_DIMS];
	bool cut[WM_GRID_DIMS];
	size_t i;

	for (i = 0; i < g->dims; i++) {
		box[i] = ceil(g->cells[i] / ranks[i]);
		cut[i] = ranks[i] > 1;
	}
	set_surface(x, box, g->dims, cut);
}

/* The way to cut @g into x->n boxes with the least surface. */
static void least_surface(const struct wm_grid *g, struct wm_point *x)
{
	double best = INFINITY, n = x->n, i, k, rest;

	for (i = 1; i <= n; i++) {
		if (fmod(n, i) != 0 || (g->dims < 2 && i < n))
			continue;
		rest = n / i;
		for (k = 1; k <= rest; k++) {
			double ranks[WM_GRID_DIMS] = { i, k, rest / k };
			struct wm_point y = *x;

			if (fmod(rest, k) != 0 || (g->dims < 3 && k < rest))
				continue;
			measure_box(g, ranks, &y);
			if (y.faces >= best)
				continue;
			best = y.faces;
			*x = y;
		}
	}
}

/* Boxes of the same volume and the shape that has the least surface. */
static void smooth_surface(const struct wm_grid *g, struct wm_point *x)
{
	double box[WM_GRID_DIMS], left = grid_cells(g) / x->n, side;
	bool cut[WM_GRID_DIMS] = { false }, again = true;
	size_t open = g->dims, i;

	/* no side is longer than the grid's: cut the others instead */
	while (again) {
		again = false;
		side = pow(left, 1.0 / (double)open);
		for (i = 0; i < g->dims && open > 0; i++) {
			if (cut[i] || g->cells[i] > side)
				continue;
			cut[i] = true;
			box[i] = g->cells[i];
			left /= box[i];
			open--;
			again = open > 0;
			break;
		}
	}
	for (i = 0; i < g->dims; i++) {
		cut[i] = !cut[i];
		if (cut[i])
			box[i] = fmax(pow(left, 1.0 / (double)open), 1);
	}
	set_surface(x, box, g->dims, cut);
}

void wm_model_args_point(const struct wm_model_args *a, size_t run, double n,
			 double p, bool smooth, struct wm_point *x)
{
	struct wm_grid g;
	double stretch;
	size_t i, k;

	*x = (struct wm_point){ .n = n, .p = p };
	g = a->grid[run != SIZE_MAX ? run : a->runs - 1];
	if (!g.dims)
		g = a->grid[a->runs - 1];
	if (!g.dims)
		return;
	i = run != SIZE_MAX && a->grid[run].dims ? run : a->runs - 1;
	/* as large against the size of its run as the problem now is */
	stretch = pow(p / (a->size[i] > 0 ? a->size[i] : p),
		      1.0 / (double)g.dims);
	for (k = 0; k < g.dims; k++)
		g.cells[k] *= stretch;
	if (smooth) {
		smooth_surface(&g, x);
		return;
	}
	for (i = 0; i < a->decomps; i++)
		if (grid_cells(&a->decomp[i]) == n)
			break;
	if (i < a->decomps)
		measure_box(&g, a->decomp[i].cells, x);
	else if (n <= 0x1p20)
		least_surface(&g, x);
	else
		smooth_surface(&g, x);
}
