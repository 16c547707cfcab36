/* blocks [STEPS]: in each step allocates a field of 32 MB and a row of 16 kB,
 * computes the field from the last one (twenty sweeps of a five-point stencil),
 * and frees the last one and the row: 2 * STEPS + 1 allocations.  Default: 12
 * steps. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 2048

static double *field(void)
{
	double *p = malloc(N * N * sizeof(*p));

	if (!p)
		abort();
	return p;
}

static void relax(double *to, const double *from, double *row)
{
	for (size_t x = 0; x < N; x++)
		to[x] = to[(N - 1) * N + x] = from[x];
	for (size_t y = 1; y < N - 1; y++) {
		const double *p = from + y * N;

		row[0] = p[0];
		row[N - 1] = p[N - 1];
		for (size_t x = 1; x < N - 1; x++)
			row[x] = 0.2 * (p[x] + p[x - 1] + p[x + 1] + p[x - N] +
					p[x + N]);
		memcpy(to + y * N, row, N * sizeof(*row));
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 12;
	double *now = field();

	for (size_t i = 0; i < N * N; i++)
		now[i] = (double)(i % 97);
	for (int s = 0; s < steps; s++) {
		double *next = field(), *row = malloc(N * sizeof(*row));

		for (int i = 0; i < 10; i++) {
			relax(next, now, row);
			relax(now, next, row);
		}
		free(row);
		free(now);
		now = next;
	}
	printf("%.6f\n", now[N * N / 2 + N / 2]);
	free(now);
	return 0;
}
