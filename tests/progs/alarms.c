/* Calls that a signal handler interrupts, and calls of the handler: until it
 * has run 200 times, `alarms map` maps, protects, remaps and unmaps while the
 * handler has malloc and free of one block; `alarms heap` has malloc, realloc,
 * calloc and free while the handler maps and unmaps a page; `alarms heap stack`
 * the same, with a stack for the handler, `alarms heap above` with one that lies
 * in the frame of main.  Prints how often the handler ran and how many loops
 * there were; nothing of it remains. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)
#define RUNS 200
#define STACK (1 << 16)

static volatile sig_atomic_t runs;
static void *volatile p;
static char stack[STACK];

static void allocate(int sig)
{
	void *volatile block;

	if (runs == RUNS)
		return;
	(void)sig;
	block = malloc(10);
	free(block);
	runs++;
}

static void map(int sig)
{
	(void)sig;
	if (runs == RUNS)
		return;
	munmap(mmap(NULL, 4096, RW, ANON, -1, 0), 4096);
	runs++;
}

static void use_map(void)
{
	p = mmap(NULL, 8192, PROT_NONE, ANON, -1, 0);
	mprotect(p, 8192, RW);
	p = mremap(p, 8192, 16384, MREMAP_MAYMOVE);
	munmap(p, 16384);
}

static void use_heap(void)
{
	p = calloc(10, 10);
	p = realloc(p, 3000);
	free(p);
	p = malloc(100);
	free(p);
}

int main(int argc, char **argv)
{
	struct itimerval every = { { 0, 60 }, { 0, 60 } }, never = { 0 };
	int heap = argc > 1 && strcmp(argv[1], "heap") == 0;
	struct sigaction action = { 0 };
	char above[STACK];
	stack_t own = { .ss_sp = stack, .ss_size = STACK };
	unsigned long loops = 0;
	char words[40];
	int n;

	action.sa_handler = heap ? map : allocate;
	action.sa_flags = SA_RESTART | (argc > 2 ? SA_ONSTACK : 0);
	if (argc > 2 && strcmp(argv[2], "above") == 0)
		own.ss_sp = above;
	sigaltstack(&own, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (; runs < RUNS; loops++)
		(heap ? use_heap : use_map)();
	setitimer(ITIMER_REAL, &never, NULL);
	n = snprintf(words, sizeof(words), "%d %lu\n", (int)runs, loops);
	return write(1, words, (size_t)n) != n;
}
