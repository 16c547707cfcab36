/* ring [BLOCKS]: two threads; each allocates BLOCKS blocks of 16 to 512 bytes,
 * one at depth 5, the other at depth 7, and hands them over, 1,024 at a time,
 * to the other one, which frees them.  Each stays on a CPU of its own, if there
 * are two.  Default: 8,000,000 blocks. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#define BATCH 1024
#define BATCHES 8

/* Blocks that one thread sends to the other. */
struct ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned put, got;
	void *batch[BATCHES][BATCH];
};

static struct ring rings[2] = {
	{ .lock = PTHREAD_MUTEX_INITIALIZER,
	  .changed = PTHREAD_COND_INITIALIZER },
	{ .lock = PTHREAD_MUTEX_INITIALIZER,
	  .changed = PTHREAD_COND_INITIALIZER },
};
static uint64_t batches;

static void wait_while(struct ring *r, unsigned distance)
{
	pthread_mutex_lock(&r->lock);
	while (r->put - r->got == distance)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

static void step(struct ring *r, unsigned *which)
{
	pthread_mutex_lock(&r->lock);
	++*which;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

static __attribute__((noinline)) void *make(uint64_t i)
{
	uint64_t *p = malloc(16 + i * 2654435761u % 497);

	if (!p)
		abort();
	*p = i;
	return p;
}

static __attribute__((noinline)) void fill(void **batch, uint64_t from)
{
	for (unsigned i = 0; i < BATCH; i++)
		batch[i] = make(from + i);
}

static __attribute__((noinline)) void drain(void **batch)
{
	for (unsigned i = 0; i < BATCH; i++)
		free(batch[i]);
}

/* Without this, the scheduler may put both on one CPU, or not. */
static void stay_on(int number)
{
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && number-- == 0) {
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
		}
}

static void *work(void *arg)
{
	struct ring *out = arg, *in = &rings[out == rings];

	stay_on(out == rings);
	for (uint64_t b = 0; b < batches; b++) {
		wait_while(out, BATCHES);
		fill(out->batch[out->put % BATCHES], b * BATCH);
		step(out, &out->put);
		wait_while(in, 0);
		drain(in->batch[in->got % BATCHES]);
		step(in, &in->got);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t blocks = argc > 1 ? strtoull(argv[1], NULL, 0) : 8000000;
	pthread_t other;

	batches = blocks / BATCH;
	if (pthread_create(&other, NULL, work, &rings[0]))
		return 1;
	work(&rings[1]);
	pthread_join(other, NULL);
	return 0;
}
