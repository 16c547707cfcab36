/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

#define ALL (WM_TERM_BIT(WM_TERM_FACES) - 1)
#define SIZE 1e7

static struct wm_err err;

/* About normal, with standard deviation @level. */
static double noise(double level)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += rand() / (double)RAND_MAX;
	return 1 + level * (sum - 6);
}

static double site_bytes(int site, double n)
{
	double q = SIZE / n;

	switch (site) {
	case 0:
		return 8 * q;
	case 1:
		return 40000 * n;
	case 2:
		return 3e6;
	default:
		return 200 * cbrt(q) * cbrt(q);
	}
}

static double all_bytes(double n)
{
	return site_bytes(0, n) + site_bytes(1, n) + site_bytes(2, n) +
	       site_bytes(3, n);
}

static void make(struct wm_model *m, size_t runs, double level)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct wm_model_part *p;
	size_t i;
	int k;

	memset(m, 0, sizeof(*m));
	m->runs = runs;
	p = wm_model_part(m, NULL);
	for (i = 0; i < runs; i++)
		m->point[i] = (struct wm_point){ .n = 2 << i, .p = SIZE };
	for (k = 0; k < 4; k++) {
		struct wm_model_site *s = wm_model_site(p, names[k], names[k],
							NULL, 0);

		for (i = 0; i < runs; i++)
			s->bytes[i] = site_bytes(k, m->point[i].n) *
				      noise(level);
	}
	wm_model_fit(m, ALL, &err);
}

static double coverage(size_t runs, double level, double n)
{
	struct wm_point x = { .n = n, .p = SIZE };
	double want = all_bytes(n);
	int round, held = 0;

	srand(5);
	for (round = 0; round < 200; round++) {
		struct wm_model m;
		struct wm_prediction p;

		make(&m, runs, level);
		p = wm_model_predict(&m, &x);
		held += p.low <= want && want <= p.high;
		wm_model_release(&m);
	}
	return held / 200.0;
}

static void job(void *context, double n, struct wm_point *x)
{
	(void)context;
	*x = (struct wm_point){ .n = n, .p = SIZE };
}

static void nodes(void)
{
	static const double memory[] = { 3e7, 6e7, 2e8, 5e10, 1e6 };
	struct wm_model m;
	size_t i;

	make(&m, 5, 0);
	for (i = 0; i < sizeof(memory) / sizeof(*memory); i++) {
		uint64_t fits, over, n = 4, wanted = 0;

		wm_model_node(&m, memory[i], 4, job, NULL, &fits, &over);
		while (n < 100000 && 4 * all_bytes((double)n) > memory[i])
			n++;
		if (n < 100000)
			for (wanted = n;
			     4 * all_bytes((double)n) <= memory[i] &&
			     n < 100000000;
			     n++)
				;
		else
			n = 4;
		ok(fits == wanted && over == n,
		   "nodes of %g bytes: fits from %" PRIu64
		   " on, overflows from %" PRIu64,
		   memory[i], wanted, n);
		if (fits != wanted || over != n)
			printf("# got %" PRIu64 ", %" PRIu64 "\n", fits, over);
	}
	wm_model_release(&m);
}

int main(void)
{
	static const double level[] = { 0.002, 0.01, 0.03 };
	size_t i, runs;

	tap_plan(17);
	for (runs = 3; runs <= 6; runs++)
		for (i = 0; i < 3; i++) {
			double c = coverage(runs, level[i], 64);

			ok(c >= 0.88,
			   "%zu runs, noise of %g %%: the interval "
			   "for 64 ranks holds %.1f %%",
			   runs, level[i] * 100, c * 100);
		}
	nodes();
	return tap_done();
}
