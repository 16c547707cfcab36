/* One allocation of 123 bytes at the bottom of DEPTH (default 10,000) calls
 * of down(). */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

static void *volatile kept;

__attribute__((noinline)) static int down(int n)
{
	if (n == 0) {
		kept = malloc(123);
		return 0;
	}
	return 1 + down(n - 1) + (n & 0);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10000;
	volatile int r = down(n);

	return r != n;
}
