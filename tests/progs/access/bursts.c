/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a second, or so many ms: a thread with a regular loop of one store of two
 * bytes, one that stores four bytes here and there, each in the place that the
 * one before tells (5 * i + 3 of 65,536), and one that stores a byte and stops
 * itself for the second half, from when on it stores the byte behind.  The first
 * thread allocates meanwhile.  Prints how many stores there were, of each
 * thread, and where the four bytes and the last byte are.  Used by t3454.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <wm/wmtrace.h>

#define NO_HOOKS __attribute__((noinline, no_sanitize("thread")))

short regular;
int places[65536];
char half[2];
static volatile long stores[3];
static volatile int at; /* 0, 1: the second half, 2: done */

/* About 2 us, by the clock. */
static NO_HOOKS int goes_on(int thread)
{
	struct timespec a, b;

	stores[thread] = stores[thread] + 1;
	clock_gettime(CLOCK_MONOTONIC, &a);
	do
		clock_gettime(CLOCK_MONOTONIC, &b);
	while ((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec <
	       2000);
	return at < 2;
}

static void *work_regularly(void *unused)
{
	do
		regular = 1;
	while (goes_on(0));
	return unused;
}

static void *work_irregularly(void *unused)
{
	unsigned i = 0;

	do {
		places[i] = 1;
		i = (5 * i + 3) % 65536;
	} while (goes_on(1));
	return unused;
}

static NO_HOOKS void stop_in_half(int *stopped)
{
	if (at && !*stopped) {
		wm_access_stop();
		*stopped = 1;
	}
}

static void *work_half(void *unused)
{
	int stopped = 0;

	do {
		half[stopped] = 1;
		stop_in_half(&stopped);
	} while (goes_on(2));
	return unused;
}

static NO_HOOKS void allocate_for(int ms)
{
	struct timespec t = { 0, 1000000 };

	while (ms--) {
		free(malloc(1000));
		nanosleep(&t, NULL);
	}
	at = at + 1;
}

static NO_HOOKS void run(int ms)
{
	void *(*work[3])(void *) = { work_regularly, work_irregularly,
				     work_half };
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work[i], NULL);
	allocate_for(ms / 2);
	allocate_for(ms / 2);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%ld %ld %ld %lx %lx\n", stores[0], stores[1], stores[2],
	       (unsigned long)places, (unsigned long)&half[1]);
}

int main(int argc, char **argv)
{
	run(argc > 1 ? atoi(argv[1]) : 1000);
	return 0;
}
