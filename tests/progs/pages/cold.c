/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For 0.3 s of CPU time all of field (8 MiB) is written; then, for 0.6 s, its
 * first half is read, and one byte of table (3 MiB) written.  Of matrix
 * (40 MiB) the first half was written before, of spare (16 MiB) nothing.
 * Used by t5442-pages-of-programs.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIELD (1 << 20)

char table[3 << 20];

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
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
	volatile char *matrix = assemble(40 << 20);
	volatile double *field = make_field(FIELD);
	volatile char *none = spare(16 << 20);
	double sum = 0, start = cpu();

	while (cpu() - start < 0.3)
		for (int i = 0; i < FIELD; i += 128)
			field[i] = field[i] + matrix[0];
	while (cpu() - start < 0.9) {
		for (int i = 0; i < FIELD / 2; i += 128)
			sum += field[i];
		((volatile char *)table)[5000] = 1;
	}
	printf("%d\n", sum > 0 && none);
	return 0;
}
