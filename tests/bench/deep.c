/* SPDX-License-Identifier: Apache-2.0 */
/* N pairs of malloc and free (argument 1), 1,000 calls deep: nothing changes on
 * the stack but the innermost frame. */
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) long pairs(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		void *volatile p = malloc((size_t)(24 + i % 100));

		sum += p != NULL;
		free(p);
	}
	return sum;
}

static __attribute__((noinline)) long down(int depth, long n)
{
	volatile long sum = depth ? down(depth - 1, n) : pairs(n);

	return sum;
}

int main(int argc, char **argv)
{
	printf("%ld\n", down(1000, argc > 1 ? atol(argv[1]) : 100000));
	return 0;
}
