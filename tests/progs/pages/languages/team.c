/* SPDX-License-Identifier: Apache-2.0 */
/* team: OpenMP, all of 16 MiB in each of 20 rounds. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	size_t n = 1 << 21;
	long *a = malloc(n * sizeof(*a)), sum = 0;

	for (int k = 0; k < 20; k++) {
#pragma omp parallel for reduction(+ : sum)
		for (size_t i = 0; i < n; i++) {
			a[i] = (long)i / 2 + k;
			sum += a[i];
		}
	}
	printf("%ld\n", sum);
	free(a);
	return 0;
}
