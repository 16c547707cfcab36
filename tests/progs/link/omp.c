/* SPDX-License-Identifier: Apache-2.0 */
/* 1000 malloc of 0 to 999 bytes, freed, by the threads of a team; prints a
 * sum.
 * Used by t1010, t1060. */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 1000; i++) {
		void *volatile p = malloc((size_t)i);

		free(p);
		sum += i;
	}
	printf("%d\n", sum);
	return 0;
}
