/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steady_work MIB MILLIONS: so many writes at random to a block of so many MiB,
 * malloc'ed by main: the same work however long it takes.  Prints the process's
 * CPU time in ms and its page faults less one for each page of the block.  For
 * t3325.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static long ms(struct timeval t)
{
	return t.tv_sec * 1000 + t.tv_usec / 1000;
}

int main(int argc, char **argv)
{
	size_t bytes = (argc > 2 ? strtoul(argv[1], NULL, 10) : 1) << 20;
	long rounds = argc > 2 ? atol(argv[2]) : 1;
	volatile char *block = malloc(bytes);
	struct rusage u;
	uint64_t x = 1;

	memset((char *)(uintptr_t)block, 1, bytes);
	for (long r = 0; r < rounds; r++)
		for (int i = 0; i < 1000000; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			block[(x >> 20) % bytes]++;
		}
	getrusage(RUSAGE_SELF, &u);
	printf("%ld %ld\n", ms(u.ru_utime) + ms(u.ru_stime),
	       u.ru_minflt - (long)(bytes / 4096));
	return 0;
}
