/* SPDX-License-Identifier: Apache-2.0 */
/* csr ROUNDS: a sparse matrix, 75,000 rows of 24 random columns, times a
 * vector. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 75000
#define IN_A_ROW 24

static int *first, *column;
static double *value, *x, *y;

static __attribute__((noinline)) void multiply(void)
{
	for (long i = 0; i < ROWS; i++) {
		double sum = 0;

		for (int k = first[i]; k < first[i + 1]; k++)
			sum += value[k] * x[column[k]];
		y[i] = sum;
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	long n = (long)ROWS * IN_A_ROW;
	uint64_t r = 1;

	first = malloc((ROWS + 1) * sizeof(*first));
	column = malloc((size_t)n * sizeof(*column));
	value = malloc((size_t)n * sizeof(*value));
	x = malloc(ROWS * sizeof(*x));
	y = malloc(ROWS * sizeof(*y));
	if (!first || !column || !value || !x || !y)
		return 1;
	for (long i = 0; i <= ROWS; i++)
		first[i] = (int)(i * IN_A_ROW);
	for (long k = 0; k < n; k++) {
		r = r * 6364136223846793005u + 1442695040888963407u;
		column[k] = (int)((r >> 33) % ROWS);
		value[k] = 1. / IN_A_ROW;
	}
	for (long i = 0; i < ROWS; i++)
		x[i] = 1;
	for (int round = 0; round < rounds; round++) {
		multiply();
		for (long i = 0; i < ROWS; i++)
			x[i] = y[i];
	}
	printf("%g\n", x[0]);
	return 0;
}
