/* SPDX-License-Identifier: Apache-2.0 */
/* stencil ROUNDS: 7 points of a grid of 128 x 128 x 128 doubles, from one grid
 * to the other and back. */
#include <stdio.h>
#include <stdlib.h>

#define N 128

typedef double grid[N][N][N];

static double centre = 0.4, side = 0.1;

static __attribute__((noinline)) void relax(grid *restrict to,
					    const grid *restrict from)
{
	const double(*u)[N][N] = *from;

	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
			for (int k = 1; k < N - 1; k++)
				(*to)[i][j][k] = centre * u[i][j][k] +
						 side * (u[i - 1][j][k] +
							 u[i + 1][j][k] +
							 u[i][j - 1][k] +
							 u[i][j + 1][k] +
							 u[i][j][k - 1] +
							 u[i][j][k + 1]);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	grid *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));

	if (!a || !b)
		return 1;
	(*a)[N / 2][N / 2][N / 2] = 1;
	for (int r = 0; r < rounds; r++) {
		relax(b, a);
		relax(a, b);
	}
	printf("%g\n", (*a)[N / 2][N / 2][N / 2 + 1]);
	return 0;
}
