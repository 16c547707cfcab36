/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coroutines on a stack in a frame of main's.  One is 700 calls deep; then the
 * upper half of its stack cannot be read any more, and another one has the
 * lower half, in which its frames stand at places of the first.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096
#define PAGES 20

static ucontext_t coroutine, back;
static int depth;

static __attribute__((noinline)) void ask(void)
{
	void *p = malloc(100);

	__asm__ volatile("" : "+r"(p));
	free(p);
	__asm__ volatile("");
}

static __attribute__((noinline)) void deeper(int n)
{
	volatile char room[40];

	room[0] = 1;
	ask();
	if (n)
		deeper(n - 1);
	else
		ask();
	room[1] = 2;
}

static void begin(void)
{
	deeper(depth);
	swapcontext(&coroutine, &back);
}

static void run(char *stack, size_t size, int n)
{
	depth = n;
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = stack;
	coroutine.uc_stack.ss_size = size;
	makecontext(&coroutine, begin, 0);
	swapcontext(&back, &coroutine);
}

int main(void)
{
	char room[(PAGES + 1) * PAGE];
	char *stack = (char *)(((uintptr_t)room + PAGE - 1) &
			       ~(uintptr_t)(PAGE - 1));
	size_t half = PAGES / 2 * PAGE, less;

	for (less = 0; less < 512; less += 16) {
		run(stack, 2 * half, 700);
		if (mprotect(stack + half, half, PROT_NONE))
			return 1;
		run(stack, half - less, 8);
		if (mprotect(stack + half, half, PROT_READ | PROT_WRITE))
			return 1;
	}
	puts("ok");
	return 0;
}
