/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four threads count, each in its own place of one line; with -DPAD each in its
 * own line.  Without OpenMP they are pthreads'.  Used by t5350.
 *
 * Variables that only main fills in, and threads only load, are no finding.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define N 20000

struct counter {
	long n;
#ifdef PAD
	char pad[64 - sizeof(long)];
#endif
};

static struct counter counters[THREADS] __attribute__((aligned(64)));
static int *input __attribute__((aligned(64)));

static void *count(void *at)
{
	struct counter *own = at;

	for (int i = 0; i < N; i++)
		if (input[i] % 2)
			own->n++;
	return NULL;
}

#ifndef _OPENMP
/* No thread begins or ends while one counts: that would be an event. */
static pthread_barrier_t all;

static void *count_with_all(void *at)
{
	pthread_barrier_wait(&all);
	count(at);
	pthread_barrier_wait(&all);
	return NULL;
}
#endif

static void in_threads(void)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(THREADS)
	for (int i = 0; i < THREADS; i++)
		count(&counters[i]);
#else
	pthread_t t[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, count_with_all, &counters[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
#endif
}

int main(void)
{
	long sum = 0;

	input = malloc(N * sizeof(*input));
	for (int i = 0; i < N; i++)
		input[i] = i;
	in_threads();
	for (int i = 0; i < THREADS; i++)
		sum += counters[i].n;
	free(input);
	printf("%ld\n", sum);
	return sum != (long)THREADS * N / 2;
}
