/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/tap.h"

#define MAX 16

static struct wm_point point[MAX];
static double weight[MAX], y[MAX];
static size_t count;
static struct wm_design design;
static struct wm_fit fit;

/* Jobs of @n ranks up to a 0; @p: the size, or below 0 that for each rank. */
static void jobs(const double *n, double p)
{
	for (count = 0; n[count] > 0; count++) {
		point[count] = (struct wm_point){ .n = n[count],
						  .p = p > 0 ? p :
							       -p * n[count] };
		weight[count] = 1;
	}
}

static double noise(double level)
{
	return 1 + level * (2.0 * rand() / RAND_MAX - 1);
}

/* Measure a * t1 + b * t2 + c * t3. */
static void measure(double a, enum wm_term t1, double b, enum wm_term t2,
		    double c, enum wm_term t3, double level)
{
	double v[WM_TERMS];
	size_t i;

	for (i = 0; i < count; i++) {
		wm_term_values(v, &point[i]);
		y[i] = a * v[t1];
		if (b > 0)
			y[i] += b * v[t2];
		if (c > 0)
			y[i] += c * v[t3];
		y[i] *= noise(level);
	}
	/* errors count by what a job needs */
	for (i = 0; i < count; i++)
		weight[i] = y[i] > 0 ? 1 / y[i] : 1;
	wm_design_make(&design, point, weight, count);
	wm_fit_make(&fit, &design, y, 0);
}

static int has(enum wm_term t, double c)
{
	size_t i;

	for (i = 0; i < fit.best.count; i++)
		if (fit.best.term[i] == t &&
		    fabs(fit.best.coefficient[i] / c - 1) < 0.01)
			return 1;
	printf("# wanted %g * %s, got", c, wm_term_symbol[t]);
	for (i = 0; i < fit.best.count; i++)
		printf(" + %g * %s", fit.best.coefficient[i],
		       wm_term_symbol[fit.best.term[i]]);
	printf(", error %g\n", fit.error);
	return 0;
}

static int terms(size_t n)
{
	if (fit.best.count != n)
		printf("# %zu terms\n", fit.best.count);
	return fit.best.count == n;
}

static const double two[] = { 2, 4, 0 }, three[] = { 1, 2, 4, 0 };
static const double five[] = { 2, 4, 8, 16, 32, 0 };
static const double same[] = { 4, 4, 0 }, ones[] = { 1, 1, 1, 0 };

static void classification(void)
{
	jobs(two, 1e6);
	measure(5e5, WM_TERM_CONST, 0, 0, 0, 0, 0);
	ok(terms(1) && has(WM_TERM_CONST, 5e5), "two runs: constant");
	measure(8, WM_TERM_SHARE, 0, 0, 0, 0, 0);
	ok(terms(1) && has(WM_TERM_SHARE, 8), "two runs: P/N");
	measure(300, WM_TERM_RANKS, 0, 0, 0, 0, 0);
	ok(terms(1) && has(WM_TERM_RANKS, 300), "two runs: N");
	measure(8, WM_TERM_SHARE, 1e6, WM_TERM_CONST, 0, 0, 0);
	ok(terms(2) && has(WM_TERM_SHARE, 8) && has(WM_TERM_CONST, 1e6),
	   "two runs: constant + P/N");
	measure(300, WM_TERM_RANKS, 1e4, WM_TERM_CONST, 0, 0, 0);
	ok(terms(2) && has(WM_TERM_RANKS, 300) && has(WM_TERM_CONST, 1e4),
	   "two runs: constant + N");
	ok(!fit.also_count, "two runs: nothing to check with");
	y[0] = 900;
	y[1] = 300;
	wm_fit_make(&fit, &design, y, 0);
	ok(terms(1) && fit.best.term[0] == WM_TERM_SHARE,
	   "two runs: what shrinks faster than P/N is P/N");
	y[0] = y[1] = 0;
	wm_fit_make(&fit, &design, y, 0);
	ok(terms(0) && wm_fit_at(&fit, &point[0]).value == 0, "nothing at all");

	jobs(same, 1e6);
	point[1].p = 3e6;
	measure(8, WM_TERM_SHARE, 1e6, WM_TERM_CONST, 0, 0, 0);
	ok(terms(2) && has(WM_TERM_SHARE, 8) && has(WM_TERM_CONST, 1e6),
	   "two sizes: constant + P/N");
	ok(design.one_n && !(design.terms & (WM_TERM_BIT(WM_TERM_RANKS) |
					     WM_TERM_BIT(WM_TERM_SIZE))),
	   "two sizes: neither N nor P can be told apart");

	jobs(two, -1e6);
	measure(1e5, WM_TERM_RANKS, 8, WM_TERM_SHARE, 0, 0, 0);
	ok(terms(2) && has(WM_TERM_RANKS, 1e5) && has(WM_TERM_CONST, 8e6),
	   "weak scaling: P/N counts as constant");
	ok(!design.one_n && !(design.terms & WM_TERM_BIT(WM_TERM_SHARE)),
	   "weak scaling: that is known");
}

static void selection(void)
{
	static const struct {
		enum wm_term t;
		double c;
	} growth[] = {
		{ WM_TERM_RANKS, 5000 },  { WM_TERM_LOG, 9000 },
		{ WM_TERM_SQRT, 9000 },	  { WM_TERM_SHARE_23, 40 },
		{ WM_TERM_SHARE_12, 90 },
	};
	size_t i;

	jobs(three, 1e6);
	measure(8, WM_TERM_SHARE, 1e6, WM_TERM_CONST, 0, 0, 0);
	ok(terms(2) && has(WM_TERM_SHARE, 8) && has(WM_TERM_CONST, 1e6),
	   "three runs: constant + P/N");
	ok(fit.error < 1e-6, "three runs: no error");
	measure(700, WM_TERM_LOG, 0, 0, 0, 0, 0);
	ok(terms(1) && has(WM_TERM_LOG, 700) && !fit.many,
	   "nothing on one rank: log N explains it");
	y[0] = 0;
	y[1] = 40000;
	y[2] = 40400;
	wm_fit_make(&fit, &design, y, 0);
	ok(fit.many && wm_fit_at(&fit, &point[0]).value == 0 &&
		   fabs(wm_fit_at(&fit, &point[2]).value - 40200) < 201,
	   "nothing on one rank: a case apart");

	y[0] = 5e6;
	y[1] = y[2] = 0;
	wm_fit_make(&fit, &design, y, 0);
	ok(fit.many && wm_fit_at(&fit, &point[0]).value == 5e6 &&
		   wm_fit_at(&fit, &point[2]).value == 0,
	   "on one rank only");

	jobs(five, 1e6);
	for (i = 0; i < sizeof(growth) / sizeof(*growth); i++) {
		measure(growth[i].c, growth[i].t, 1e5, WM_TERM_CONST, 0, 0, 0);
		ok(terms(2) && has(growth[i].t, growth[i].c) &&
			   has(WM_TERM_CONST, 1e5),
		   "five runs: constant + %s", wm_term_symbol[growth[i].t]);
	}
	measure(8, WM_TERM_SHARE, 5000, WM_TERM_RANKS, 2e5, WM_TERM_CONST, 0);
	ok(terms(3) && has(WM_TERM_SHARE, 8) && has(WM_TERM_RANKS, 5000) &&
		   has(WM_TERM_CONST, 2e5),
	   "five runs: constant + P/N + N");

	jobs(five, 1e6);
	point[1].p = 4e6;
	point[3].p = 9e6;
	measure(8, WM_TERM_SHARE, 0.5, WM_TERM_SIZE, 2e5, WM_TERM_CONST, 0);
	ok(terms(3) && has(WM_TERM_SHARE, 8) && has(WM_TERM_SIZE, 0.5),
	   "P of its own");

	jobs(ones, 1e6);
	point[1].p = 2e6;
	point[2].p = 5e6;
	measure(8, WM_TERM_SHARE, 40, WM_TERM_SHARE_23, 0, 0, 0);
	ok(terms(2) && has(WM_TERM_SHARE, 8) && has(WM_TERM_SHARE_23, 40),
	   "one rank, three sizes: P/N and its surface");
}

/* A job of one rank that differs, where the others follow a simpler formula:
 * the last rank's 12 MiB, which in a job of one is rank 0. */
static void alone(void)
{
	static const double four[] = { 1, 2, 4, 8, 0 };
	struct wm_fit_range at;
	size_t i;

	jobs(three, 256000);
	for (i = 0; i < count; i++)
		y[i] = i ? 3555328 : 6888448;
	wm_fit_make(&fit, &design, y, 0);
	at = wm_fit_at(&fit, &(struct wm_point){ 8, 256000 });
	ok(at.low < 1835008 && at.high >= 3555328,
	   "a halo whose faces are cut one after another, from 1, 2 and 4 "
	   "ranks: %g to %g with 8",
	   at.low, at.high);
	jobs(four, 1e6);
	measure(1e7, WM_TERM_CONST, 0, 0, 0, 0, 0);
	y[0] = 1.2e7;
	wm_fit_make(&fit, &design, y, 0);
	ok(fit.many && terms(1) && has(WM_TERM_CONST, 1e7) &&
		   wm_fit_at(&fit, &point[0]).value == 1.2e7,
	   "one rank alone has more: a constant of the others");
	for (i = 0; i < count; i++)
		y[i] = 1e6 + (i % 2 ? 300 : -300);
	wm_fit_make(&fit, &design, y, 0.001);
	ok(terms(1) && fit.best.term[0] == WM_TERM_CONST,
	   "what is below the noise is constant");
}

/* With noise: predictions stay close, and few terms are taken. */
static void noisy(void)
{
	struct wm_point x = { .n = 64, .p = 1e6 };
	double want = 8 * 1e6 / 64 + 1e6, worst = 0, v;
	int round, most = 0;

	jobs(five, 1e6);
	srand(7);
	for (round = 0; round < 200; round++) {
		measure(8, WM_TERM_SHARE, 1e6, WM_TERM_CONST, 0, 0, 0.005);
		v = fabs(wm_fit_at(&fit, &x).value / want - 1);
		worst = v > worst ? v : worst;
		most += fit.best.count > 2;
	}
	ok(worst < 0.05,
	   "noise of 0.5 %%: a prediction for twice the ranks "
	   "is at most %.1f %% off",
	   worst * 100);
	ok(most < 60, "noise of 0.5 %%: a third term in %d of 200", most);
	for (round = 0, most = 0; round < 200; round++) {
		measure(1e6, WM_TERM_CONST, 0, 0, 0, 0, 0.05);
		most += fit.best.count > 1 || fit.best.term[0] != WM_TERM_CONST;
	}
	ok(most < 60,
	   "a constant with noise of 5 %% seems to grow in %d of "
	   "200",
	   most);
}

/*
 * Plain arrays: each rank of a grid of ranks has (nx + halo) * (ny + halo)
 * numbers, nx and ny rounded up.  No term of that grows with the ranks,
 * whatever jobs were measured: grids of ranks in one dimension or two, the
 * whole of one size, of several, or growing with the ranks.
 */
enum decomposition { PLANE, LINE, SIZES, WEAK, DECOMPOSITIONS };

static void measure_array(enum decomposition way, size_t runs, unsigned first,
			  const double edge[2], double halo)
{
	size_t i;

	for (i = 0; i < runs; i++) {
		unsigned k = first + (unsigned)i, y_cuts = k / 2;
		double ranks[2] = { 1u << (k - y_cuts), 1u << y_cuts };
		double whole[2] = { edge[0], edge[1] };
		double scale[2] = { 1, 1 };
		int d;

		if (way == LINE) {
			ranks[0] = 1;
			ranks[1] = 1u << k;
		}
		for (d = 0; d < 2; d++) {
			if (way == WEAK)
				scale[d] = ranks[d];
			else if (way == SIZES)
				scale[d] = 1 + (double)(i % 3);
			whole[d] *= scale[d];
		}
		point[i] = (struct wm_point){ .n = ranks[0] * ranks[1],
					      .p = whole[0] * whole[1] };
		y[i] = 8 * (ceil(whole[0] / ranks[0]) + halo) *
		       (ceil(whole[1] / ranks[1]) + halo);
		weight[i] = 1 / y[i];
	}
	count = runs;
	wm_design_make(&design, point, weight, count);
	wm_fit_make(&fit, &design, y, 0);
}

static void plain_arrays(void)
{
	int round, grows = 0;
	size_t i;

	srand(1);
	for (round = 0; round < 600; round++) {
		double edge[2] = { 200 + rand() % 2000, 200 + rand() % 2000 };
		double halo = 1 + rand() % 2;
		unsigned terms = 0;

		measure_array((enum decomposition)(round % DECOMPOSITIONS),
			      3 + (size_t)rand() % 3, (unsigned)rand() % 2,
			      edge, halo);
		for (i = 0; i < fit.best.count; i++)
			terms |= WM_TERM_BIT(fit.best.term[i]);
		grows += (terms & WM_TERMS_GROWING) != 0;
	}
	ok(grows < 12,
	   "plain arrays seem to grow with the ranks in %d of 600 "
	   "series of jobs",
	   grows);
}

int main(void)
{
	tap_plan(32);
	classification();
	selection();
	alone();
	noisy();
	plain_arrays();
	return tap_done();
}
