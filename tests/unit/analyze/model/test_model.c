/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

#define SIZE 1e7
#define MIB 1048576.0
#define POOL "main;MPI_Wait;MPIR_Request_create_from_pool"

static struct wm_err err;

/* Bytes of rank @r of @n at site number @i; below 0: there are no more. */
typedef double law(size_t i, double r, double n, const char **path);

static void make(struct wm_model *m, law *of, const double *n)
{
	uint32_t part;
	size_t i;

	memset(m, 0, sizeof(*m));
	part = wm_model_part(m, NULL);
	for (; *n > 0; n++) {
		size_t run = wm_model_run(m, (struct wm_point){ *n, SIZE });

		for (double r = 0; r < *n; r++) {
			double bytes;

			wm_model_sample(m, run, (uint64_t)r);
			for (i = 0;; i++) {
				const char *path = NULL, *name;

				bytes = of(i, r, *n, &path);
				if (bytes < 0)
					break;
				name = strrchr(path, ';');
				wm_model_add(m, part, path,
					     name ? name + 1 : path, bytes,
					     false);
			}
		}
	}
	wm_model_fit(m, &err);
}

static struct wm_prediction ask(const struct wm_model *m, double n)
{
	struct wm_point x = { n, SIZE };

	return wm_model_predict(m, &x);
}

static int near(double a, double b, double e)
{
	if (fabs(a - b) > e * b)
		printf("# %g is not %g\n", a, b);
	return fabs(a - b) <= e * b;
}

static const double four[] = { 1, 2, 4, 8, 0 }, many[] = { 4, 9, 16, 25, 0 };

/* ---- roles ---- */

/* Rank 0 collects, the last one has a larger field: with 2 ranks the last is
 * the worst, with 4 rank 0. */
static double gather(size_t i, double r, double n, const char **path)
{
	static const char *const paths[] = { "main;field", "main;all",
					     "main;MPI_Init" };

	if (i == 3)
		return -1;
	*path = paths[i];
	return i == 0 ? (r + 1 == n ? 12 : 10) * MIB :
	       i == 1 ? (r > 0 ? 0 : 8e5 * n) :
			5 * MIB;
}

static void roles(void)
{
	struct wm_model m;
	struct wm_prediction p;

	make(&m, gather, four);
	p = ask(&m, 1024);
	ok(near(p.bytes, 15 * MIB + 8e5 * 1024, 1e-6) && p.role == 0,
	   "rank 0 grows: with 1,024 ranks it is the worst");
	ok(p.low <= p.bytes && p.bytes <= p.high && p.low > 0.9 * p.bytes &&
		   p.high < 1.1 * p.bytes,
	   "and its interval is narrow");
	p = ask(&m, 2);
	ok(near(p.bytes, 17 * MIB, 1e-6) && p.role == WM_ROLE_LAST,
	   "with 2 ranks the last one is");
	ok(ask(&m, 1).low >= 5 * MIB,
	   "no low end is below what MPI_Init() needs");
	wm_model_release(&m);
}

/* A square of ranks: halos of corners, edges and the inner ones. */
static double square(size_t i, double r, double n, const char **path)
{
	double side = sqrt(n), x = fmod(r, side), y = floor(r / side);
	double sides = (x > 0) + (x < side - 1) + (y > 0) + (y < side - 1);

	if (i == 3)
		return -1;
	*path = i == 0 ? "main;field" : i == 1 ? "main;halo" : "main;base";
	return i == 0 ? 8 * SIZE / n :
	       i == 1 ? 2000 * sides * sqrt(SIZE / n) :
			1e6;
}

static void kinds(void)
{
	struct wm_model m;
	struct wm_prediction p;
	size_t i, kinds = 0;

	make(&m, square, many);
	for (i = WM_ROLE_OTHERS; i < m.roles; i++)
		kinds += m.role[i].seen != 0;
	ok(kinds == 3, "corners, edges, inner ranks: %zu kinds", kinds);
	p = ask(&m, 400);
	ok(near(p.bytes, 8 * SIZE / 400 + 8000 * sqrt(SIZE / 400) + 1e6, 0.001),
	   "the inner ranks, which 4 ranks have not, are the worst of 400");
	wm_model_release(&m);
}

/* Ranks that differ at random, the more the more there are, and a role that
 * comes into being with 4 ranks: it has a site of its own. */
static double chance(size_t i, double r, double n, const char **path)
{
	static const double draw[] = { .1, .35, .2, .6, .9, .15, .75 };

	if (i == 2)
		return -1;
	*path = i ? "main;middle" : "main;each";
	return i ? r > 0 && r == floor(n / 2) && n > 2 ? 3e5 * n : 0 :
		   1e7 + 6e6 * (n < 8 ? draw[(size_t)(n - 1 + r)] :
					fmod(r * 0.618 + n * 0.37, 1));
}

static double only_chance(size_t i, double r, double n, const char **path)
{
	return i ? -1 : chance(i, r, n, path);
}

static void scatter(void)
{
	static const double three[] = { 1, 2, 4, 0 };
	struct wm_prediction p;
	struct wm_model m;

	make(&m, only_chance, three);
	p = ask(&m, 64);
	ok(p.bytes < 1.7e7 && p.low >= 6e6 && p.high >= 1.6e7,
	   "ranks that differ at random seem to rise: no law, %g to %g", p.low,
	   p.high);
	wm_model_release(&m);
	make(&m, only_chance, four);
	p = ask(&m, 1024);
	ok(p.bytes < 1.7e7 && p.low >= 6e6 && p.high >= 1.6e7 && p.high < 4e7,
	   "nor with another run: %g to %g", p.low, p.high);
	wm_model_release(&m);
	make(&m, chance, four);
	p = ask(&m, 64);
	ok(p.low < 3e5 * 64 + 1.6e7 && p.high > 3e5 * 64 + 1e7,
	   "a role among them that grows does: %g to %g", p.low, p.high);
	wm_model_release(&m);
}

/* ---- timing ---- */

static double pools(size_t i, double r, double n, const char **path)
{
	if (i == 3)
		return -1;
	*path = i == 0 ? "main;field" : i == 1 ? POOL : "main;MPI_Init";
	return i == 0 ? SIZE / n :
	       i == 1 ? (n > 1 && fmod(r * 3 + n, 5) < 2 ? 786432 : 0) :
			5 * MIB;
}

/* And messages that arrive before they are expected. */
static double messages(size_t i, double r, double n, const char **path)
{
	if (i != 2)
		return pools(i > 2 ? i - 1 : i, r, n, path);
	*path = "main;MPI_Recv;MPIDI_CH3U_Receive_data_unexpected";
	return n > 1 && fmod(r * 3 + n, 5) < 4 ? 1e5 : 0;
}

static void timing(void)
{
	struct wm_model m;
	struct wm_prediction p;

	make(&m, pools, four);
	p = ask(&m, 16);
	ok(near(p.bytes, SIZE / 16 + 5 * MIB, 1e-3),
	   "a pool that some ranks have is no part of the formula");
	ok(p.high >= p.bytes + 786432 && p.high < 1.01 * p.bytes + 786432 &&
		   m.timed_name &&
		   !strcmp(m.timed_name, "MPIR_Request_create_from_pool"),
	   "it widens the high end, by name");
	wm_model_release(&m);
	make(&m, messages, four);
	p = ask(&m, 16);
	ok(p.high >= p.bytes + 786432 + 1e5 && p.high < 1e6 + p.bytes &&
		   m.timed_name &&
		   !strcmp(m.timed_name, "MPIR_Request_create_from_pool"),
	   "so does all that a rank has by timing at once, by its largest name");
	wm_model_release(&m);
}

/* ---- intervals ---- */

static double level;

/* About normal, with standard deviation @level. */
static double noise(void)
{
	double sum = 0;
	int i;

	for (i = 0; i < 12; i++)
		sum += rand() / (double)RAND_MAX;
	return 1 + level * (sum - 6);
}

static double plain_bytes(size_t i, double n)
{
	double q = SIZE / n;

	return i == 0 ? 8 * q :
	       i == 1 ? 40000 * n :
	       i == 2 ? 3e6 :
			200 * cbrt(q) * cbrt(q);
}

static double plain(size_t i, double r, double n, const char **path)
{
	static const char *const paths[] = { "a", "b", "c", "d" };
	static double run, here[4];
	size_t k;

	/* all ranks of a run have the same */
	if (!i && (!(r > 0) || n != run)) {
		run = n;
		for (k = 0; k < 4; k++)
			here[k] = plain_bytes(k, n) * noise();
	}
	if (i == 4)
		return -1;
	*path = paths[i];
	return here[i];
}

static double all_bytes(double n)
{
	return plain_bytes(0, n) + plain_bytes(1, n) + plain_bytes(2, n) +
	       plain_bytes(3, n);
}

static void coverage(void)
{
	static const double jobs[] = { 2, 4, 8, 16, 32, 0 };
	static const double levels[] = { 0.002, 0.01, 0.03 };
	size_t i, runs, all = 0;

	for (runs = 3; runs <= 5; runs++)
		for (i = 0; i < 3; i++) {
			double n[6] = { 0 };
			int round, held = 0;

			memcpy(n, jobs, runs * sizeof(*n));
			level = levels[i];
			srand(5);
			for (round = 0; round < 50; round++) {
				struct wm_model m;
				struct wm_prediction p;

				make(&m, plain, n);
				p = ask(&m, 2 * n[runs - 1]);
				held += p.low <= all_bytes(2 * n[runs - 1]) &&
					all_bytes(2 * n[runs - 1]) <= p.high;
				wm_model_release(&m);
			}
			all += (size_t)held;
			ok(held >= 37,
			   "%zu runs, noise of %g %%: %d of 50 intervals for "
			   "twice the ranks hold",
			   runs, level * 100, held);
		}
	ok(all >= 405, "of all %zu of 450", all);
	level = 0;
}

int main(void)
{
	tap_plan(22);
	roles();
	kinds();
	scatter();
	timing();
	coverage();
	return tap_done();
}
