/* OpenMP: team [THREADS].  Each thread of the team allocates 100 blocks of
 * 1000 bytes in grab() and frees the blocks of its right neighbour in drop():
 * cross-thread frees.  Nothing of it remains.  Default: 4 threads. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 100
static void *volatile blocks[64][BLOCKS];

__attribute__((noinline)) static void grab(int t)
{
	for (int i = 0; i < BLOCKS; i++)
		blocks[t][i] = malloc(1000);
}

__attribute__((noinline)) static void drop(int t)
{
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[t][i]);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;

#pragma omp parallel num_threads(n)
	{
		int t = omp_get_thread_num(), all = omp_get_num_threads();

		grab(t);
#pragma omp barrier
		drop((t + 1) % all);
	}
	printf("%d threads\n", n);
	return 0;
}
