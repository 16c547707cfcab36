/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenMP, eight threads: a triad, a gather and a sum over one array, which is
 * repeated as often as the argument says.
 */
#include <stdio.h>
#include <stdlib.h>

#define N 20000

static double a[N], b[N], sum;
static int at[N];

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1;
	double *c = malloc(N * sizeof(*c));

#pragma omp parallel num_threads(8)
	{
#pragma omp for
		for (int i = 0; i < N; i++) {
			b[i] = i;
			c[i] = 2 * i;
			at[i] = (int)(i * 7919L % N);
		}
#pragma omp for
		for (int i = 0; i < N; i++)
			a[i] = b[i] + 3 * c[i];
		for (int k = 0; k < times; k++) {
#pragma omp for reduction(+ : sum)
			for (int i = 0; i < N; i++)
				sum += a[at[i]];
		}
	}
	printf("%g\n", sum);
	free(c);
	return 0;
}
