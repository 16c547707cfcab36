/* SPDX-License-Identifier: Apache-2.0 */
/* Brings malloc, free, calloc and realloc itself and calls them in this file.
 * 123 bytes once that stay; 100 times: malloc(8), realloc to 16, free; calloc
 * of 3 x 5 once, which calls malloc inside.  Prints whether its heap was
 * used.  With -DAPART the four are elsewhere (-DONLY: they are this file). */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void *malloc(size_t n);
void free(void *p);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t n);
extern char own_heap[];

#ifndef APART
char own_heap[1 << 22] __attribute__((aligned(16)));
static size_t at;
static volatile size_t freed;

void *malloc(size_t n)
{
	size_t whole = (n + 31) & ~(size_t)15;
	char *p = own_heap + at;

	if (at + whole > sizeof(own_heap))
		return NULL;
	*(size_t *)(void *)p = n;
	at += whole;
	return p + 16;
}

void free(void *p)
{
	freed += p != NULL;
}

void *calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

void *realloc(void *old, size_t n)
{
	void *p = malloc(n);
	size_t had = old ? *(size_t *)(void *)((char *)old - 16) : 0;

	if (p && old)
		memcpy(p, old, had < n ? had : n);
	free(old);
	return p;
}
#endif

#ifndef ONLY
static char *volatile keep;

__attribute__((noinline)) void stays(void)
{
	keep = malloc(123);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 1) {
		stays();
		for (int i = 0; i < 100; i++) {
			char *volatile p = malloc(8);

			p = realloc(p, 16);
			free(p);
		}
		keep = calloc(3, 5);
	}
	printf("own heap %d\n", !keep || (keep > own_heap &&
					  keep < own_heap + (1 << 22)));
	return 0;
}
#endif
