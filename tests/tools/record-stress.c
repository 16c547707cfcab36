/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Not a traced program: the runtime's own sources, linked in without wrappers,
 * and called as these call them, so that a sanitizer of threads sees them (it
 * cannot be in a traced program).  8 threads, started anew 6 times, record
 * 4,000 blocks each; every block is given back by another thread.  Then one
 * more, and after it one that has waited for its end by the clock alone: what
 * that finds of the dead one, no lock of the program has handed on.
 * 200,000 events malloc and as many free; 500 phases of 490 names, and 500 named
 * blocks.  With an argument the trace is discarded in the second of these times.
 * Used by t8101.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/event/slot.h"
#include "runtime/hooks.h"
#include "runtime/trace/writer.h"
#include "wm/trace_format.h"

#define THREADS 8
#define ROUNDS 6
#define BLOCKS 4000
#define NAMES 10 /* that a thread gives */

static void *shelf[THREADS]; /* one block each, handed on */
static int round_now;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void get(void *p, size_t size)
{
	if (!wm_enter())
		return;
	wm_rec_alloc(WMT_EV_MALLOC, p, size, wm_frame());
	wm_leave();
}

static __attribute__((noinline)) void give(void *p)
{
	if (!wm_enter())
		return;
	wm_rec_release(WMT_EV_FREE, p);
	wm_leave();
}

/* So that there are many call paths. */
static __attribute__((noinline)) void get_below(unsigned depth, void *p,
						size_t size)
{
	if (depth == 0)
		get(p, size);
	else
		get_below(depth - 1, p, size);
	__asm__ volatile("");
}

static void *work(void *number)
{
	unsigned me = (unsigned)(size_t)number;

	for (unsigned i = 0; i < BLOCKS; i++) {
		void *p = malloc(16 + i % 50), *old;
		unsigned at = (me + i) % THREADS;

		get_below(i % 13, p, 16 + i % 50);
		pthread_mutex_lock(&lock);
		old = shelf[at];
		shelf[at] = p;
		pthread_mutex_unlock(&lock);
		if (old) {
			give(old);
			free(old);
		}
		if (i % (BLOCKS / NAMES) == 0 && wm_enter()) {
			char name[32];

			snprintf(name, sizeof(name), "%u of %d at %u", me,
				 round_now, i);
			wm_annotate(WMT_EV_PHASE, NULL, name, 64);
			wm_annotate(WMT_EV_NAME, p, "mine", 64);
			wm_leave();
		}
	}
	return NULL;
}

static void *work_late(void *number)
{
	usleep(300000);
	return work(number);
}

/* As for a rank that turns out to be left out, while its threads record. */
static void discard(void)
{
	if (!wm_enter())
		return;
	wm_writer_discard();
	wm_slots_close();
	wm_leave();
}

int main(int argc, char **argv)
{
	pthread_t early, late;

	(void)argv;
	for (round_now = 0; round_now < ROUNDS; round_now++) {
		pthread_t thread[THREADS];

		for (size_t i = 0; i < THREADS; i++)
			pthread_create(&thread[i], NULL, work, (void *)i);
		if (argc > 1 && round_now == 1)
			discard();
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
	pthread_create(&late, NULL, work_late, (void *)0);
	pthread_create(&early, NULL, work, (void *)0);
	pthread_join(early, NULL);
	pthread_join(late, NULL);
	for (int i = 0; i < THREADS; i++) {
		give(shelf[i]);
		free(shelf[i]);
	}
	puts("done");
	return 0;
}
