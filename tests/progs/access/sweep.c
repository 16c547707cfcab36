/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps over arrays of known numbers of lines of 64 bytes: a line comes again
 * after exactly so many.  Used by t5340.
 */
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 10

static double fits[512 * 8] __attribute__((aligned(128)));
static double more[513 * 8] __attribute__((aligned(128)));

static double sweep(const double *from, int lines)
{
	double sum = 0;

	for (int k = 0; k < ROUNDS; k++)
		for (int i = 0; i < lines * 8; i++)
			sum += from[i];
	return sum;
}

int main(void)
{
	double *block = aligned_alloc(64, 2048 * 64), sum;

	for (int i = 0; i < 2048 * 8; i++)
		block[i] = i;
	sum = sweep(fits, 512) + sweep(more, 513) + sweep(block, 2048);
	printf("%g\n", sum);
	free(block);
	return 0;
}
