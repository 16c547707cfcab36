/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread in a loop of two stores of two bytes, each as predicted; the first
 * thread says after a while that nothing is to be recorded any more, and ends the
 * loop 100 ms later.  Prints how many stores there were 50 ms after it was
 * said, and in all.  Used by t3450.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include <wm/wmtrace.h>

#define NO_HOOKS __attribute__((noinline, no_sanitize("thread")))

short a, b;
static volatile long stores;
static volatile int done;

static NO_HOOKS int goes_on(void)
{
	stores = stores + 2;
	return !done;
}

static void *work(void *unused)
{
	do {
		a = 1;
		__asm__ volatile("" ::: "memory");
		b = 1;
	} while (goes_on());
	return unused;
}

static NO_HOOKS void wait_ms(long ms)
{
	struct timespec t = { 0, ms * 1000000 };

	nanosleep(&t, NULL);
}

static NO_HOOKS void run(void)
{
	pthread_t thread;
	long then;

	pthread_create(&thread, NULL, work, NULL);
	while (stores < 100000)
		wait_ms(1);
	wm_access_stop_all();
	wait_ms(50);
	then = stores;
	wait_ms(50);
	done = 1;
	pthread_join(thread, NULL);
	printf("%ld %ld\n", then, stores);
}

int main(void)
{
	run();
	return 0;
}
