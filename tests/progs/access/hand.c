/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Main allocates a block, workers store into it, main stores into it and
 * releases it, in each of ROUNDS rounds; workers make no events of their own.
 * Each says its round by the address of a store into `rounds`, of 2 bytes.  Used
 * by t3460.
 *
 * Prints the address of `rounds`.  With an argument new threads come each
 * round, which are gone when the block is released.  OpenMP: -fopenmp.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 300
#define WORKERS 4

unsigned short rounds[ROUNDS];
static unsigned short *volatile block;
static int now;

/* A store of @who's. */
static void use(int who)
{
	rounds[now] = 1;
	block[who] = 1;
}

#ifdef _OPENMP
static void round_by(int each)
{
	(void)each;
#pragma omp parallel num_threads(WORKERS + 1)
	{
		extern int omp_get_thread_num(void);
		if (omp_get_thread_num())
			use(omp_get_thread_num());
	}
}
#else
static pthread_barrier_t begin, end;
static int go_on = 1;

static void *work(void *who)
{
	for (;;) {
		pthread_barrier_wait(&begin);
		if (!go_on)
			return NULL;
		use((int)(long)who);
		pthread_barrier_wait(&end);
	}
}

static void *once(void *who)
{
	use((int)(long)who);
	return NULL;
}

static void round_by(int each)
{
	static pthread_t t[WORKERS + 1];
	static int begun;
	long i;

	if (!begun && !each) {
		begun = 1;
		pthread_barrier_init(&begin, NULL, WORKERS + 1);
		pthread_barrier_init(&end, NULL, WORKERS + 1);
		for (i = 1; i <= WORKERS; i++)
			pthread_create(&t[i], NULL, work, (void *)i);
	}
	if (!each) {
		pthread_barrier_wait(&begin);
		pthread_barrier_wait(&end);
		return;
	}
	for (i = 1; i <= WORKERS; i++)
		pthread_create(&t[i], NULL, once, (void *)i);
	for (i = 1; i <= WORKERS; i++)
		pthread_join(t[i], NULL);
}
#endif

int main(int argc, char **argv)
{
	(void)argv;
	printf("%lx\n", (unsigned long)rounds);
	fflush(stdout);
	for (now = 0; now < ROUNDS; now++) {
		block = malloc(100);
		rounds[now] = 1;
		block[48] = 1;
		round_by(argc > 1);
		rounds[now] = 1;
		block[49] = 1;
		free(block);
	}
#ifndef _OPENMP
	if (argc == 1) {
		go_on = 0;
		pthread_barrier_wait(&begin);
	}
#endif
	return 0;
}
