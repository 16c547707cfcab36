/* paths [DEPTH [PAIRS]]: PAIRS times malloc and free, each at the end of a
 * recursion of DEPTH calls that come from one of two places each, taken at
 * random: of 2^DEPTH call paths.  Default: 18 and 1,000,000. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long done;

static __attribute__((noinline)) void down(int depth, uint64_t which)
{
	if (!depth) {
		void *volatile p = malloc(24 + which % 100);

		free(p);
	} else if (which & 1) {
		down(depth - 1, which >> 1);
		done += 1;
	} else {
		down(depth - 1, which >> 1);
		done += 2;
	}
}

int main(int argc, char **argv)
{
	int depth = argc > 1 ? atoi(argv[1]) : 18;
	long n = argc > 2 ? atol(argv[2]) : 1000000;
	uint64_t x = 88172645463325252u;

	for (long i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		down(depth, x >> 20);
	}
	printf("%ld\n", done);
	return 0;
}
