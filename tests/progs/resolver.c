/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resolver: one mmap of 8 KiB (with -DSBRK an sbrk of 4 KiB, with
 * -DOWN a malloc(100)) in the resolver of an IFUNC, then malloc(50) and free in
 * main.  -DALLOCATOR: instead, an allocator for -DOWN that needs no thread.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef ALLOCATOR
static _Alignas(16) char pool[1 << 20];
static size_t used;

void *malloc(size_t size)
{
	char *p = pool + used;

	used += (size + 15) & ~(size_t)15;
	return p;
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

/* The bytes copied from behind the old block lie in the pool, too. */
void *realloc(void *old, size_t size)
{
	char *p = malloc(size), *from = old;

	for (size_t i = 0; from && i < size; i++)
		p[i] = from[i];
	return p;
}
#else
static void *kept;

static int one(void)
{
	return 1;
}

static int (*resolve(void))(void)
{
#if defined(OWN)
	kept = malloc(100);
#elif defined(SBRK)
	kept = sbrk(4096);
#else
	kept = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
	return one;
}

int f(void) __attribute__((ifunc("resolve")));

int main(void)
{
	void *volatile p = malloc(50);

	printf("%d %d\n", f(), kept != NULL && kept != (void *)-1);
	free(p);
	return 0;
}
#endif
