/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates N blocks of 1 to 2,000 bytes (argument 1; default 20,000) and
 * frees them, from a coroutine on a stack of S bytes (argument 2; default
 * 4,096) between two pages without access.  Prints how many bytes of
 * that stack were touched.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static ucontext_t outside, inside;
static int blocks;

static __attribute__((noinline)) void *get(size_t n)
{
	void *volatile p = malloc(n);
	return p;
}

static __attribute__((noinline)) void *deeper(size_t n)
{
	void *volatile p = get(n);
	return p;
}

static void work(void)
{
	for (int i = 0; i < blocks; i++)
		free(i & 1 ? get(1 + i % 2000) : deeper(1 + i % 2000));
}

int main(int argc, char **argv)
{
	size_t size = argc > 2 ? (size_t)atoi(argv[2]) : 4096, page = 4096;
	size_t room = (size + page - 1) / page * page;
	unsigned char *p = mmap(NULL, room + 2 * page, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t untouched = 0;

	blocks = argc > 1 ? atoi(argv[1]) : 20000;
	if (p == MAP_FAILED ||
	    mprotect(p + page, room, PROT_READ | PROT_WRITE))
		return 1;
	memset(p + page, 0xa5, room);
	getcontext(&inside);
	inside.uc_stack.ss_sp = p + page + room - size;
	inside.uc_stack.ss_size = size;
	inside.uc_link = &outside;
	makecontext(&inside, work, 0);
	swapcontext(&outside, &inside);
	while (untouched < room && p[page + untouched] == 0xa5)
		untouched++;
	printf("%zu\n", room - untouched);
	return 0;
}
