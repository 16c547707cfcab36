/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep_paths levels DEPTH CALLS [THREADS]   a recursion that allocates on each
 *                                           level, in each of THREADS at a time
 * deep_paths bottoms N STEP                 N recursions of STEP, 2 * STEP, ...
 *                                           levels that allocate at the bottom
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long depth, calls;
static void *volatile kept;
static volatile int zero;

__attribute__((noinline)) static long level(long n)
{
	void *volatile p = malloc(24 + (size_t)(n % 100));
	long r = n > 1 ? level(n - 1) : 0;

	free(p);
	return r + 1 + zero;
}

__attribute__((noinline)) static long fall(long n)
{
	if (n > 1)
		return fall(n - 1) + 1 + zero;
	kept = malloc(100);
	free(kept);
	return 1;
}

static void *levels(void *unused)
{
	for (long i = 0; i < calls / depth; i++)
		level(depth);
	return unused;
}

static void *bottoms(void *unused)
{
	for (long i = 1; i <= calls; i++)
		fall(i * depth);
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc > 4 ? atoi(argv[4]) : 1;
	pthread_t thread[64];
	pthread_attr_t a;

	if (argc < 4 || threads > 64)
		return 2;
	depth = atol(argv[strcmp(argv[1], "levels") ? 3 : 2]);
	calls = atol(argv[strcmp(argv[1], "levels") ? 2 : 3]);
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, (size_t)512 << 20);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], &a,
				   strcmp(argv[1], "levels") ? bottoms : levels,
				   NULL))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
