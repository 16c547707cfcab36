/* places: three ways of one depth from main() to an allocation, with frames of
 * two sizes in either order.  Where one way has its second return address
 * another one has room, and there it writes an address that belongs to the third
 * way: the words at the places of the first way are then those of the third,
 * while the second is under way.
 * Prints how many blocks each way has allocated; the first's have 101 bytes, the
 * second's 102, the third's 103. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SMALL 8
#define LARGE 24

static void *old;
static void *volatile block;

static __attribute__((noinline)) void put(void *volatile *room, int n, void *p)
{
	for (int i = 0; i < n; i++)
		room[i] = p;
}

static __attribute__((noinline)) void small_leaf(size_t size)
{
	void *volatile room[SMALL];

	put(room, SMALL, NULL);
	block = malloc(size);
	free(block);
}

static __attribute__((noinline)) void large_leaf(size_t size, int copy)
{
	void *volatile room[LARGE];

	/* where the third way comes from, or was */
	if (!copy)
		old = __builtin_return_address(0);
	put(room, LARGE, old);
	block = malloc(size);
	free(block);
}

static __attribute__((noinline)) void first(void)
{
	void *volatile room[LARGE];

	put(room, LARGE, NULL);
	small_leaf(101);
	put(room, LARGE, NULL);
}

static __attribute__((noinline)) void second(void)
{
	void *volatile room[SMALL];

	put(room, SMALL, NULL);
	large_leaf(102, 1);
	put(room, SMALL, NULL);
}

static __attribute__((noinline)) void third(void)
{
	void *volatile room[SMALL];

	put(room, SMALL, NULL);
	large_leaf(103, 0);
	put(room, SMALL, NULL);
}

int main(int argc, char **argv)
{
	/* volatile: all are called from one place */
	static void (*volatile ways[])(void) = { third, first, second };
	int rounds = argc > 1 ? atoi(argv[1]) : 1000;

	for (int i = 0; i < rounds; i++)
		for (volatile int w = 0; w < 3; w++)
			ways[w]();
	printf("%d\n", rounds);
	return argv == NULL;
}
