/* SPDX-License-Identifier: Apache-2.0 */
/* plain: a block of 8 MiB of which it uses the first half, and a sum of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long all[4096];

int main(void)
{
	size_t n = 8 << 20;
	char *p = malloc(n), *q;
	long sum = 0;

	for (int k = 0; k < 50; k++) {
		memset(p, k, n / 2);
		for (size_t i = 0; i < n / 2; i += 64)
			sum += p[i] + all[i % 4096]++;
		q = calloc(1, 100000 + (size_t)k);
		sum += q[k];
		free(q);
	}
	printf("%ld\n", sum);
	return 0;
}
