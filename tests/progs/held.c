/* SPDX-License-Identifier: Apache-2.0 */
/* 42 mallocs of 1 MiB in one helper for 40 globals and two that share a block;
 * "reuse": one for a global that keeps the address of a freed block */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define SMALL ((size_t)96 << 10) /* glibc has no mapping of its own for it */

static struct grid {
	int n;
	double *pressure, *speed;
} grid;
double *field[30];
double *u, *v, *w, *rho, *temp, *one, *two, *three;
double *shared_a, *shared_b;
char sparse[(size_t)1 << 30]; /* hardly any of it is touched */
double *last;

static __attribute__((noinline)) double *make(void)
{
	double *p = malloc(MIB);

	if (!p)
		abort();
	p[0] = 1;
	return p;
}

static __attribute__((noinline)) void *other(void)
{
	return malloc(SMALL);
}

/* rho keeps the address, and has nothing to do with what comes there. */
static void reuse(void)
{
	void *volatile p;

	rho = malloc(SMALL);
	free(rho);
	p = other();
	printf("%d\n", p == (void *)rho);
	free(p);
}

/* KiB: resident, and of tables of pages, which the page of zeros needs, too. */
static void print_resident(void)
{
	char line[256];
	long kib = 0, tables = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (!sscanf(line, "VmRSS: %ld", &kib))
			sscanf(line, "VmPTE: %ld", &tables);
	if (f)
		fclose(f);
	printf("%ld %ld\n", kib, tables);
}

int main(int argc, char **argv)
{
	double **to[] = { &u,	&v,   &w,     &rho,	      &temp, &one,
			  &two, &three, &last, &grid.pressure, &grid.speed };
	const char *how = argc > 1 ? argv[1] : "";
	uintptr_t middle = (uintptr_t)sparse + sizeof(sparse) / 2;
	size_t i;

	if (!strcmp(how, "reuse")) {
		reuse();
		return 0;
	}
	middle -= middle % (uintptr_t)sysconf(_SC_PAGESIZE);
	memset((void *)middle, 1, 3 * 4096);
	mprotect((void *)(middle + 4096), 4096, PROT_NONE);
	for (i = 0; i < 30; i++)
		field[i] = make();
	for (i = 0; i < sizeof(to) / sizeof(*to); i++)
		*to[i] = make();
	shared_a = shared_b = make();
	if (!strcmp(how, "killed"))
		kill(getpid(), 9);
	for (i = 0; i < 30; i++)
		free(field[i]);
	for (i = 0; i < sizeof(to) / sizeof(*to); i++)
		free(*to[i]);
	free(shared_a);
	print_resident();
	return 0;
}
