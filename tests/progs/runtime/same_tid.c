/* SPDX-License-Identifier: Apache-2.0 */
/* same_tid THREADS: so many, one after the other, each with the number of the
 * one before it (ns_last_pid), and a block of 100 bytes.  Status 77: that cannot
 * be had here.  Used by t3000. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *volatile kept;
static long number;

static void *work(void *arg)
{
	number = syscall(SYS_gettid);
	kept = malloc(100);
	return arg;
}

static int ask_for(long next)
{
	FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");
	int r = f && fprintf(f, "%ld", next - 1) > 0;

	return (f && !fclose(f) && r) ? 0 : -1;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	long first = 0;
	int same = 0;

	for (int i = 0; i < threads; i++) {
		pthread_t t;

		if (first && ask_for(first))
			return 77;
		if (pthread_create(&t, NULL, work, NULL) ||
		    pthread_join(t, NULL))
			return 1;
		same += number == first;
		first = first ? first : number;
	}
	return same >= threads / 2 ? 0 : 77;
}
