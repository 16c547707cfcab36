/* An allocator that gives each block once and may be left anywhere: for jump.c */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static _Alignas(16) char room[1 << 30];
static _Atomic size_t used;

void *malloc(size_t n)
{
	size_t at = atomic_fetch_add(&used, (n + 31) & ~(size_t)15);

	if (at + n + 16 > sizeof(room))
		return NULL;
	*(size_t *)(room + at) = n;
	return room + at + 16;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

void *realloc(void *old, size_t n)
{
	void *p = malloc(n);
	size_t was = old ? *(size_t *)((char *)old - 16) : 0;

	return p && old ? memcpy(p, old, was < n ? was : n) : p;
}

void free(void *p)
{
	(void)p;
}
