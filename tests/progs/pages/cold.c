/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For 0.3 s of CPU time all of field (8 MiB) is written; then, for 0.6 s, its
 * first half is read, and one byte of table (3 MiB) written.  The first half of
 * matrix (40 MiB) was written before, nothing of spare (16 MiB).  Page faults
 * do not count as CPU time: with slow ones there are as many epochs.
 * With them, too, the second part is one and a half times as long as the first at
 * least: what lies cold did so for more than half of the CPU time.
 * Prints 1, and the longest pass over the field in ms of CPU time.  With -DTIDY
 * it frees all at its end.  Used by t5442-pages-of-programs.sh and t5443.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIELD (1 << 20)

char table[3 << 20];

static double longest;

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double cpu(void)
{
	return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* A pass of @seconds is over; what it took without page faults, of which most
 * have none. */
static double without_faults(double seconds, double *fastest)
{
	if (*fastest == 0 || seconds < *fastest)
		*fastest = seconds;
	if (longest < seconds)
		longest = seconds;
	return seconds < 4 * *fastest ? seconds : *fastest;
}

static char *assemble(size_t n)
{
	char *p = malloc(n);

	memset(p, 1, n / 2);
	return p;
}

static double *make_field(size_t n)
{
	double *p = calloc(n, sizeof(*p));

	return p;
}

static char *spare(size_t n)
{
	char *p = malloc(n);

	return p;
}

int main(void)
{
	double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID), until;
	volatile char *matrix = assemble(40 << 20);
	volatile double *field = make_field(FIELD);
	volatile char *none = spare(16 << 20);
	double sum = 0, used, fastest = 0, start;

	for (used = 0; used < 0.3;
	     used += without_faults(cpu() - start, &fastest)) {
		start = cpu();
		for (int i = 0; i < FIELD; i += 128)
			field[i] = field[i] + matrix[0];
	}
	fastest = 0;
	until = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
	until += 1.5 * (until - begin);
	for (used = 0;
	     used < 0.6 || seconds_of(CLOCK_PROCESS_CPUTIME_ID) < until;
	     used += without_faults(cpu() - start, &fastest)) {
		start = cpu();
		for (int i = 0; i < FIELD / 2; i += 128)
			sum += field[i];
		((volatile char *)table)[5000] = 1;
	}
	printf("%d %d\n", sum > 0 && none, (int)(longest * 1e3) + 1);
#ifdef TIDY
	free((void *)(uintptr_t)matrix);
	free((void *)(uintptr_t)field);
	free((void *)(uintptr_t)none);
#endif
	return 0;
}
