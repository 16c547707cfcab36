/* shrinking [N]: a coroutine that calls itself 40 deep and allocates on each
 * level, again and again on a stack at the same place that ends N levels (1)
 * further down each time, so that its frames stand where those of the last one
 * stood, while what was further out is gone: who reads there dies.
 * Prints how often it has allocated. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define STACK ((size_t)1 << 20)
#define FRAME 12288 /* of one level, or so */

static ucontext_t outside, inside;
static void *volatile block;
static int blocks, levels;
static uintptr_t step; /* of one level */

static __attribute__((noinline)) void level(int n, uintptr_t caller)
{
	volatile char room[FRAME];

	room[0] = 1;
	step = caller - (uintptr_t)room;
	block = malloc(64);
	blocks++;
	free(block);
	if (n > 1)
		level(n - 1, (uintptr_t)room);
	room[0] = 2;
}

static void run(void)
{
	level(levels, 0);
}

static void on_stack(char *base, size_t bytes, int deep)
{
	if (mmap(base, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != base)
		abort();
	levels = deep;
	getcontext(&inside);
	inside.uc_stack.ss_sp = base;
	inside.uc_stack.ss_size = bytes;
	inside.uc_link = &outside;
	makecontext(&inside, run, 0);
	swapcontext(&outside, &inside);
	munmap(base, STACK);
}

int main(int argc, char **argv)
{
	/* so that nothing else comes to where the stacks are */
	char *place = mmap(NULL, 3 * STACK, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int by = argc > 1 ? atoi(argv[1]) : 1;
	size_t shorter = 0;

	if (place == MAP_FAILED)
		return 1;
	place += STACK;
	for (int deep = 40; deep > 2; deep -= by, shorter += (size_t)by * step)
		on_stack(place, STACK - shorter, deep);
	printf("%d\n", blocks);
	return 0;
}
