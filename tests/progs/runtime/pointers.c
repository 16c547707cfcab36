/* pointers: calls whose frames have one of a few sizes, again and again over
 * what the last ones left on the stack: old return addresses stand where they
 * stood, old frame pointers, too, but not all of them, so that an unwinder that
 * does not look at each is led astray. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 7;

static unsigned rnd(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static __attribute__((noinline)) int touch(int depth)
{
	void *volatile p = malloc((size_t)depth + 1);

	free(p);
	return 1;
}

typedef unsigned call(int depth, int n);
static call level, between, aligned;
static call *const next[] = { level, level, level, between, between, aligned };


/* Where optimized, it has no frame pointer and keeps that of its caller at a
 * place of its own, below other registers. */
static __attribute__((noinline)) unsigned between(int depth, int n)
{
	unsigned a = rnd(3), b = rnd(5), c = rnd(7), d = rnd(9);

	while (n-- > 0)
		a += level(depth - 1, (int)rnd(4)) * b + c * d;
	return a + b + c + d;
}

/* Where its frame begins is on the stack. */
static __attribute__((noinline)) unsigned aligned(int depth, int n)
{
	volatile char room[64] __attribute__((aligned(64)));
	void *volatile more = alloca(rnd(2) * 64);

	room[rnd(64)] = more != NULL;
	while (n-- > 0)
		level(depth - 1, (int)rnd(4));
	return (unsigned)room[0];
}

/* The size is the frame pointer's matter alone: one call, one return address.
 * Nothing is written into it, so old frames stay. */
static __attribute__((noinline)) unsigned level(int depth, int n)
{
	void *volatile room = alloca(rnd(4) * 48);

	while (n-- > 0)
		if (depth <= 0 || rnd(2) == 0)
			touch(depth > 0 ? depth : 0);
		else
			next[rnd(6)](depth - 1, (int)rnd(4));
	return room != NULL;
}

int main(void)
{
	unsigned sum = 0;

	for (int i = 0; i < 400; i++)
		sum += next[rnd(6)]((int)rnd(60), 12);
	printf("%u\n", sum);
	return 0;
}
