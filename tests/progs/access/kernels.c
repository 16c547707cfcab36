/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A triad, a stencil and a sparse matrix times a vector, on arrays larger than a
 * first-level cache: 32768 doubles each, 5 nonzeros a row.  Used by t5330, which
 * compares misses with those of another simulator.
 */
#include <stdio.h>
#include <stdlib.h>

#define N 32768
#define SIDE 181
#define ROUNDS 3
#define NONZEROS 5

static double a[N], b[N], c[N];

static void triad(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + 3 * c[i];
}

static void stencil(double *to, const double *from)
{
	for (int i = 1; i < SIDE - 1; i++)
		for (int k = 1; k < SIDE - 1; k++)
			to[i * SIDE + k] = from[i * SIDE + k] +
					   from[(i - 1) * SIDE + k] +
					   from[(i + 1) * SIDE + k] +
					   from[i * SIDE + k - 1] +
					   from[i * SIDE + k + 1];
}

static void multiply(double *y, const double *value, const int *column)
{
	for (int i = 0; i < N; i++) {
		double sum = 0;

		for (int k = i * NONZEROS; k < (i + 1) * NONZEROS; k++)
			sum += value[k] * a[column[k]];
		y[i] = sum;
	}
}

int main(void)
{
	double *x = calloc(N, sizeof(*x)), *y = calloc(N, sizeof(*y));
	double *value = malloc(N * NONZEROS * sizeof(*value));
	int *column = malloc(N * NONZEROS * sizeof(*column));
	unsigned r = 1;

	for (int i = 0; i < N * NONZEROS; i++) {
		r = r * 1664525u + 1013904223u;
		column[i] = (int)(r >> 17);
		value[i] = i;
	}
	for (int i = 0; i < ROUNDS; i++) {
		triad();
		stencil(x, y);
		stencil(y, x);
		multiply(y, value, column);
	}
	printf("%g\n", y[N / 2] + a[7]);
	free(column);
	free(value);
	free(y);
	free(x);
	return 0;
}
