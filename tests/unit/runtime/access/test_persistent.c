/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent requests of many threads, which MPI gives the handle that another
 * thread has just freed: what is started reads the bytes that it was made for.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"
#include "runtime/base/pool.h"
#include "runtime/trace/accesses.h"
#include "tests/unit/tap.h"

#define THREADS 8
#define TIMES 200000
#define LONG 3000 /* ranges, more than an entry has room for */

/* Stubs of the rest of the runtime. */
static _Thread_local char *expected; /* where the next range begins */
static _Thread_local unsigned told;
static atomic_ulong wrong, missed, lost;

void wm_access_range(const void *p, size_t bytes, const void *caller,
		     uint32_t what)
{
	(void)caller;
	if (p != expected + told || bytes != 40 || what != 7)
		atomic_fetch_add(&wrong, 1);
	told++;
}

void wm_access_lose(void)
{
	atomic_fetch_add(&lost, 1);
}

void *wm_pool_map(size_t bytes)
{
	return calloc(1, bytes);
}

void wm_pool_unmap(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}

bool wm_mpi_has_wide_handles(void)
{
	return true;
}

/* MPI: it gives away first what was freed last. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t freed[THREADS];
static unsigned free_handles;

static uint64_t mpi_make(void)
{
	uint64_t handle;

	pthread_mutex_lock(&lock);
	handle = freed[--free_handles];
	pthread_mutex_unlock(&lock);
	return handle;
}

static void mpi_free(uint64_t handle)
{
	pthread_mutex_lock(&lock);
	freed[free_handles++] = handle;
	pthread_mutex_unlock(&lock);
}

/* A request for @ranges from @buffer on, made, started twice and freed. */
static void one_request(char *buffer, unsigned ranges)
{
	uint64_t handle = mpi_make();
	struct wm_mpi_call c = { .kept = &handle };
	struct wm_mpi_kept *k = wm_mpi_keeper(&c);

	for (unsigned i = 0; k && i < ranges; i++)
		wm_mpi_keep(k, (struct wm_mpi_bytes){ buffer + i, 40 }, 7);
	expected = buffer;
	for (int i = 0; i < 2; i++) {
		told = 0;
		wm_mpi_started(&c, &handle, 1);
		if (told != ranges)
			atomic_fetch_add(&missed, 1);
	}
	wm_mpi_freeing(&c, &handle);
	mpi_free(handle);
	wm_mpi_freed(&c);
}

static void *work(void *buffer)
{
	for (int i = 0; i < TIMES; i++)
		one_request(buffer, 1 + i % 3);
	return NULL;
}

int main(void)
{
	static char buffers[THREADS][LONG];
	pthread_t thread[THREADS];
	int n = 0;

	tap_plan(5);
	for (unsigned i = 0; i < THREADS; i++)
		mpi_free(0x1000 + 48 * i);
	one_request(buffers[0], LONG);
	ok(!wrong && !missed, "a request of %d ranges", LONG);
	while (n < THREADS &&
	       pthread_create(&thread[n], NULL, work, buffers[n]) == 0)
		n++;
	ok(n == THREADS, "threads run");
	while (n > 0)
		pthread_join(thread[--n], NULL);
	ok(!wrong, "no start is another request's (%lu)", wrong);
	ok(!missed, "each start tells all (%lu do not)", missed);
	ok(!lost, "nothing is lost (%lu)", lost);
	return tap_done();
}
