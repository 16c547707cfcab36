/* SPDX-License-Identifier: Apache-2.0 */
/* N coroutines in turn (argument 1), R rounds of them (argument 2); each goes D
 * calls down (argument 3), allocates once or twice and frees, and switches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#define COROUTINES 1024
#define STACK 16384

static ucontext_t outside, inside[COROUTINES];
static int turn, depth;

static __attribute__((noinline)) void touch(uint64_t n)
{
	void *volatile p = malloc((size_t)(24 + n % 100));

	free(p);
}

static __attribute__((noinline)) int down(int d, uint64_t way)
{
	if (d == 0) {
		touch(way & 31);
		if (way & 1)
			touch(way & 15);
		swapcontext(&inside[turn], &outside);
		return 1;
	}
	return way & 1 ? down(d - 1, way >> 1) + 1 : down(d - 1, way >> 1) + 2;
}

static void coroutine(void)
{
	for (uint64_t way = (uint64_t)turn;; way++)
		down(depth, way * 2654435761u >> 7);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;
	long rounds = argc > 2 ? atol(argv[2]) : 100;
	char *stacks;

	depth = argc > 3 ? atoi(argv[3]) : 12;
	if (n < 1 || n > COROUTINES)
		return 2;
	stacks = malloc((size_t)n * STACK);
	for (int i = 0; i < n; i++) {
		getcontext(&inside[i]);
		inside[i].uc_stack.ss_sp = stacks + (size_t)i * STACK;
		inside[i].uc_stack.ss_size = STACK;
		inside[i].uc_link = &outside;
		makecontext(&inside[i], coroutine, 0);
	}
	while (rounds-- > 0)
		for (turn = 0; turn < n; turn++)
			swapcontext(&outside, &inside[turn]);
	puts("ok");
	return 0;
}
