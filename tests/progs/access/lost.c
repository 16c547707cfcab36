/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lost HOW THREADS: three phases of 300,000 stores at random, of 1, 2 and 4
 * bytes, by each of THREADS threads.  HOW: before the second one nothing can be written any more (limit: files are at most 1
 * byte long), or not until the third (closed: no file can be opened); or
 * nothing happens (none).  Ends with status 7.  Used by t3475.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define N 300000
#define PLACES 65536

unsigned char one[PLACES];
unsigned short two[PLACES];
unsigned int four[PLACES];
static long phase;
static pthread_barrier_t begin, end;

static void stores(uint32_t x)
{
	for (int i = 0; i < N; i++) {
		x = x * 1664525u + 1013904223u;
		switch (phase) {
		case 0:
			one[x >> 16] = 1;
			break;
		case 1:
			two[x >> 16] = 1;
			break;
		default:
			four[x >> 16] = 1;
		}
	}
}

static void *work(void *arg)
{
	/* who comes when nothing can be written is not counted */
	one[0] = 1;
	for (int i = 0; i < 3; i++) {
		pthread_barrier_wait(&begin);
		stores((uint32_t)(uintptr_t)arg);
		pthread_barrier_wait(&end);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct rlimit byte = { 1, 1 }, before, none;
	pthread_t t;
	int threads, i;

	if (argc < 3 || getrlimit(RLIMIT_NOFILE, &before))
		return 2;
	threads = atoi(argv[2]);
	none = before;
	none.rlim_cur = 0;
	pthread_barrier_init(&begin, NULL, (unsigned)threads);
	pthread_barrier_init(&end, NULL, (unsigned)threads);
	for (i = 1; i < threads; i++)
		pthread_create(&t, NULL, work, (void *)(intptr_t)i);
	for (phase = 0; phase < 3; phase++) {
		if (phase == 1 && strcmp(argv[1], "limit") == 0)
			setrlimit(RLIMIT_FSIZE, &byte);
		if (strcmp(argv[1], "closed") == 0)
			setrlimit(RLIMIT_NOFILE, phase == 1 ? &none : &before);
		pthread_barrier_wait(&begin);
		stores(0);
		pthread_barrier_wait(&end);
	}
	return 7;
}
