/* SPDX-License-Identifier: Apache-2.0 */
/* triad ROUNDS: a[i] = b[i] + s * c[i] for 2,000,000 doubles. */
#include <stdio.h>
#include <stdlib.h>

#define N 2000000

static __attribute__((noinline)) void triad(double *restrict a,
					    const double *restrict b,
					    const double *restrict c, double s)
{
	for (long i = 0; i < N; i++)
		a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double *a = malloc(N * sizeof(*a)), *b = malloc(N * sizeof(*b));
	double *c = malloc(N * sizeof(*c));

	if (!a || !b || !c)
		return 1;
	for (long i = 0; i < N; i++) {
		a[i] = 0;
		b[i] = (double)i;
		c[i] = 2;
	}
	for (int r = 0; r < rounds; r++)
		triad(a, b, c, r);
	printf("%g\n", a[N - 1]);
	return 0;
}
