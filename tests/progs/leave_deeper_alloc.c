/* An allocator that never gives anything back, whose calloc calls malloc, and
 * which raises a signal in malloc when it is told to. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (16u << 20)

void raise_in_malloc(int sig);

static char room[BYTES] __attribute__((aligned(16)));
static size_t used;
static volatile int wanted;

void raise_in_malloc(int sig)
{
	wanted = sig;
}

void *malloc(size_t n)
{
	int sig = wanted;
	char *p = room + used;

	if (sig) {
		wanted = 0;
		raise(sig);
	}
	n = (n + 31) & ~(size_t)15;
	if (n > BYTES - used)
		return NULL;
	used += n;
	*(size_t *)(void *)p = n - 16;
	return p + 16;
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t a, size_t b)
{
	return malloc(a * b); /* all zero, as none comes back */
}

void *realloc(void *old, size_t n)
{
	void *p = malloc(n);

	if (p && old) {
		size_t had = ((size_t *)old)[-2];

		memcpy(p, old, had < n ? had : n);
	}
	return p;
}
