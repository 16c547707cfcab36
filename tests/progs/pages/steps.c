/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps TRUTH: touch known pages, step by step, and write into TRUTH which.
 *
 * Pages of a large block, of small blocks (the break), of .bss, .data, and of
 * the arenas of two threads; a realloc that moves, free and reuse, and forks
 * come between steps.  A line "step FROM TO" (CLOCK_MONOTONIC, ns), then a
 * line "pass FROM TO" for passes over all pages, at most one a millisecond, and
 * a line "PAGE WHAT" for each page: 0 left alone, 1 read, 2 written; then "end".
 * The first pass of a step takes its time: several epochs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ul
#define MOST 8192
/* CPU time: so that there are epochs on a busy machine, too */
#define STEP_NS 250000000ull
#define SLOW_PASS_NS 150000000ull
#define PASS_NS 1000000ull
#define MOST_PASSES 4096

static char zeroes[512 * PAGE];
static char data[64 * PAGE] = { 1 };
/* Never written: pages of the executable, and such as are zero. */
static char original[64 * PAGE] = { 2 };
static char fresh[64 * PAGE];
static char *pages[MOST];
static char what[MOST];
static char is_read_only[MOST];
static int count;
static unsigned seed = 1;
static uint64_t passes[MOST_PASSES][2];
static FILE *truth;
static volatile unsigned long sink;

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Whole pages of a block, all written once unless they are @read_only. */
static void add_as(char *p, size_t bytes, char read_only)
{
	char *end = p + bytes;

	p = (char *)(((uintptr_t)p + PAGE - 1) & ~(PAGE - 1));
	for (; p + PAGE <= end && count < MOST; p += PAGE) {
		if (!read_only)
			*p = 1;
		is_read_only[count] = read_only;
		pages[count++] = p;
	}
}

static void add(char *p, size_t bytes)
{
	add_as(p, bytes, 0);
}

static void touch(int i)
{
	if (what[i] == 1)
		sink += (unsigned char)pages[i][i % 4000];
	else if (what[i] == 2)
		pages[i][i % 4000]++;
}

static void pass(void)
{
	for (int i = 0; i < count; i++)
		touch(i);
}

static void slow_pass(void)
{
	const uint64_t begun = now(CLOCK_THREAD_CPUTIME_ID);
	const uint64_t each = SLOW_PASS_NS / (uint64_t)count;

	for (int i = 0; i < count; i++) {
		touch(i);
		while (now(CLOCK_THREAD_CPUTIME_ID) <
		       begun + each * (uint64_t)i)
			;
	}
}

static void timed(void (*f)(void), uint64_t *at)
{
	at[0] = now(CLOCK_MONOTONIC);
	f();
	at[1] = now(CLOCK_MONOTONIC);
}

/* Returns how many of its passes are noted. */
static int all_passes(void)
{
	uint64_t used, at[2], noted = 0;
	int n = 0;

	timed(slow_pass, passes[n++]);
	used = now(CLOCK_THREAD_CPUTIME_ID);
	do {
		timed(pass, at);
		if (n == MOST_PASSES || at[0] < noted + PASS_NS)
			continue;
		noted = at[0];
		memcpy(passes[n++], at, sizeof(at));
	} while (now(CLOCK_THREAD_CPUTIME_ID) - used < STEP_NS);
	return n;
}

static void step(void)
{
	uint64_t from, to;
	int n;

	for (int i = 0; i < count; i++) {
		seed = seed * 1664525 + 1013904223;
		what[i] = (char)((seed >> 24) % (is_read_only[i] ? 2 : 3));
	}
	from = now(CLOCK_MONOTONIC);
	n = all_passes();
	to = now(CLOCK_MONOTONIC);
	fprintf(truth, "step %llu %llu\n", (unsigned long long)from,
		(unsigned long long)to);
	for (int i = 0; i < n; i++)
		fprintf(truth, "pass %llu %llu\n",
			(unsigned long long)passes[i][0],
			(unsigned long long)passes[i][1]);
	for (int i = 0; i < count; i++)
		fprintf(truth, "%lx %d\n", (unsigned long)pages[i] / PAGE,
			what[i]);
	fputs("end\n", truth);
	fflush(truth);
}

static pthread_barrier_t barrier;
static char *of_thread[2];

static void *thread(void *arg)
{
	of_thread[(intptr_t)arg] = malloc(100000);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	free(of_thread[(intptr_t)arg]);
	return NULL;
}

/* A child that writes to all pages: nothing of it may be seen here. */
static void fork_once(void)
{
	int status = -1, pid = fork();

	if (pid == 0) {
		for (int i = 0; i < count; i++)
			memset(pages[i], 0x55, PAGE);
		_exit(7);
	}
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 7) {
		fprintf(stderr, "the child ended with %x\n", status);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	char *large, *small[40];

	truth = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (!truth)
		return 2;
	/* its first access counts as a write where it has no page table */
	for (size_t i = 0; i < sizeof(fresh); i += PAGE)
		sink += (unsigned char)fresh[i];
	large = malloc(2000 * PAGE);
	add(large, 2000 * PAGE);
	for (int i = 0; i < 40; i++)
		small[i] = malloc(5 * PAGE);
	add(small[0], (size_t)(small[39] - small[0]));
	add(zeroes, sizeof(zeroes));
	add(data, sizeof(data));
	add_as(original, sizeof(original), 1);
	add_as(fresh, sizeof(fresh), 1);
	step();
	step();
	fork_once();
	step();

	/* moved, and something else where it was */
	count = 0;
	large = realloc(large, 6000 * PAGE);
	add(large, 6000 * PAGE);
	step();
	free(large);
	large = malloc(1500 * PAGE);
	count = 0;
	add(large, 1500 * PAGE);
	add(zeroes, sizeof(zeroes));
	step();

	pthread_barrier_init(&barrier, NULL, 3);
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 2; i++)
		add(of_thread[i], 100000);
	step();
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
