/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brings an allocator that knows the truth.  THREADS threads have a block of
 * BLOCK bytes each while they are in malloc or free, where no stamp can show
 * them together.  Prints the highest number of live bytes.
 *   under_way in    all threads are in malloc, and leave it one by one
 *   under_way out   half of them are in free while the others are in malloc
 * With -DHEAP this file is the allocator, else the program.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS 4
#define ROUNDS 3
#define BLOCK 100000

/* The next call of this thread, if it is about BLOCK bytes. */
struct plan {
	atomic_int *first; /* wait for so many there */
	atomic_int *then; /* the block is there: tell it, and wait again */
	int first_count, then_count;
	int ms; /* and then */
};
extern __thread struct plan plan;
extern atomic_size_t highest;

#ifdef HEAP
__thread struct plan plan;
atomic_size_t highest;
static char arena[1 << 23] __attribute__((aligned(16)));
static atomic_size_t used, live;

static void nap(int ms)
{
	struct timespec t = { 0, ms * 1000000L };

	nanosleep(&t, NULL);
}

static void await(atomic_int *n, int count)
{
	int i;

	for (i = 0; i < 5000 && n && *n < count; i++)
		nap(1);
}

void *malloc(size_t n)
{
	size_t at = atomic_fetch_add(&used, ((n + 15) & ~(size_t)15) + 16);
	size_t now, old;

	if (n > sizeof(arena) || at + n + 16 > sizeof(arena))
		return NULL;
	memcpy(arena + at, &n, sizeof(n));
	if (n == BLOCK)
		await(plan.first, plan.first_count);
	now = atomic_fetch_add(&live, n) + n;
	old = highest;
	while (now > old && !atomic_compare_exchange_weak(&highest, &old, now))
		;
	if (n == BLOCK && plan.then) {
		++*plan.then;
		await(plan.then, plan.then_count);
		nap(plan.ms);
	}
	return arena + at + 16;
}

void free(void *p)
{
	size_t n;

	if (!p)
		return;
	memcpy(&n, (char *)p - 16, sizeof(n));
	if (n == BLOCK && plan.then) {
		++*plan.then;
		await(plan.first, plan.first_count);
	}
	live -= n;
}

void *calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

void *realloc(void *old, size_t n)
{
	void *p = malloc(n);
	size_t had;

	if (!old || !p)
		return p;
	memcpy(&had, (char *)old - 16, sizeof(had));
	memcpy(p, old, had < n ? had : n);
	free(old);
	return p;
}
#else
static atomic_int in_malloc, in_free;
static pthread_barrier_t all;

static void *in(void *number)
{
	int round;

	for (round = 1; round <= ROUNDS; round++) {
		pthread_barrier_wait(&all);
		plan.then = &in_malloc;
		plan.then_count = round * THREADS;
		plan.ms = 10 * (int)(intptr_t)number;
		void *volatile p = malloc(BLOCK);
		plan.then = NULL;
		free(p);
	}
	return NULL;
}

static void *out(void *number)
{
	int releases = (intptr_t)number % 2, round;

	for (round = 1; round <= ROUNDS; round++) {
		void *volatile p = releases ? malloc(BLOCK) : NULL;

		pthread_barrier_wait(&all);
		plan.first = releases ? &in_malloc : &in_free;
		plan.then = releases ? &in_free : &in_malloc;
		plan.first_count = round * THREADS / 2;
		if (releases)
			free(p);
		else
			p = malloc(BLOCK);
		plan.first = plan.then = NULL;
		pthread_barrier_wait(&all);
		if (!releases)
			free(p);
		pthread_barrier_wait(&all);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int is_in = argc > 1 && strcmp(argv[1], "in") == 0, i;
	pthread_t thread[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, is_in ? in : out,
			       (void *)(intptr_t)i);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%zu\n", (size_t)highest);
	return 0;
}
#endif
