/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late_work BEGIN WORK: BEGIN ms of CPU time in which 16 pages are written, and
 * then WORK ms of writes at random to 64 MiB, as a sort of keys has them, beside
 * the first write to each page.  Both are malloc'ed by main.  For t3325.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FEW (16 * 4096)
#define MANY ((size_t)64 << 20)

static long cpu_ms(void)
{
	return (long)(clock() / (CLOCKS_PER_SEC / 1000));
}

int main(int argc, char **argv)
{
	long begin = argc > 2 ? atol(argv[1]) : 0;
	long work = argc > 2 ? atol(argv[2]) : 0, end;
	volatile char *few = malloc(FEW), *many = malloc(MANY);
	uint64_t x = 1;

	while (cpu_ms() < begin)
		for (int i = 0; i < FEW; i++)
			few[i]++;
	memset((char *)(uintptr_t)many, 1, MANY);
	for (end = cpu_ms() + work; cpu_ms() < end;)
		for (int i = 0; i < 1000000; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			many[(x >> 20) % MANY]++;
		}
	printf("%d\n", few[0] + many[0] > 0);
	return 0;
}
