/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/load.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEFAULT_JOBS 8
#define PROGRESS_NS 200000000

struct crew {
	const struct wm_load *l;
	pthread_mutex_t lock; /* everything below */
	pthread_cond_t turn;
	size_t next; /* file that nobody has taken */
	size_t delivered; /* files that were delivered */
	enum wm_status status;
	struct wm_err *err;
	uint64_t done_bytes; /* atomic */
};

/* Wait for the turn of file @i and deliver it. */
static void deliver(struct crew *c, size_t i, struct wm_rank *r,
		    enum wm_status status, const struct wm_err *why)
{
	const struct wm_load *l = c->l;

	pthread_mutex_lock(&c->lock);
	while (c->delivered != i)
		pthread_cond_wait(&c->turn, &c->lock);
	if (!c->status)
		c->status = l->deliver(l->context, i, status ? NULL : r,
				       status, why, c->err);
	else if (!status)
		wm_rank_release(r);
	c->delivered++;
	pthread_cond_broadcast(&c->turn);
	pthread_mutex_unlock(&c->lock);
}

static void *work(void *arg)
{
	struct crew *c = arg;
	const struct wm_run *run = c->l->run;

	for (;;) {
		struct wm_rank r;
		struct wm_err why;
		enum wm_status s;
		size_t i;

		pthread_mutex_lock(&c->lock);
		i = c->status ? run->file_count : c->next;
		if (i < run->file_count)
			c->next++;
		pthread_mutex_unlock(&c->lock);
		if (i >= run->file_count)
			return NULL;
		s = wm_rank_read(&r, run->files[i].path, run->files[i].name,
				 run->files[i].rank, c->l->needs,
				 &c->done_bytes, &why);
		r.source = i;
		deliver(c, i, &r, s, &why);
	}
}

unsigned wm_load_jobs(unsigned jobs, size_t files)
{
	unsigned n = jobs;
	cpu_set_t set;

	if (!n) {
		n = 1;
		if (sched_getaffinity(0, sizeof(set), &set) == 0)
			n = (unsigned)CPU_COUNT(&set);
		if (n > DEFAULT_JOBS)
			n = DEFAULT_JOBS;
	}
	if (n > files)
		n = (unsigned)files;
	return n ? n : 1;
}

static struct timespec later(struct timespec t, long ns)
{
	t.tv_nsec += ns;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void print_progress(const struct crew *c, uint64_t total)
{
	uint64_t done = __atomic_load_n(&c->done_bytes, __ATOMIC_RELAXED);

	if (done > total)
		done = total;
	fprintf(stderr, "\rreading: %3u %%, %zu of %zu ranks ",
		(unsigned)(100.0 * (double)done / (double)total),
		c->delivered, c->l->run->file_count);
}

/* Until all is delivered: how far it is, a few times a second. */
static void show_progress(struct crew *c)
{
	const struct wm_run *run = c->l->run;
	struct timespec now, next;
	uint64_t total = 1;
	size_t i;

	for (i = 0; i < run->file_count; i++)
		total += run->files[i].size;
	clock_gettime(CLOCK_REALTIME, &now);
	next = later(now, PROGRESS_NS);
	pthread_mutex_lock(&c->lock);
	while (c->delivered < run->file_count && !c->status) {
		/* also ends early, at each delivery */
		pthread_cond_timedwait(&c->turn, &c->lock, &next);
		clock_gettime(CLOCK_REALTIME, &now);
		if (now.tv_sec < next.tv_sec ||
		    (now.tv_sec == next.tv_sec && now.tv_nsec < next.tv_nsec))
			continue;
		next = later(now, PROGRESS_NS);
		print_progress(c, total);
	}
	pthread_mutex_unlock(&c->lock);
	fprintf(stderr, "\r\033[K");
}

enum wm_status wm_load_run(const struct wm_load *l, struct wm_err *err)
{
	struct crew c = { .l = l, .err = err };
	unsigned n = wm_load_jobs(l->jobs, l->run->file_count), started = 0, i;
	pthread_t *thread;

	if (n == 1 && !l->progress) {
		pthread_mutex_init(&c.lock, NULL);
		pthread_cond_init(&c.turn, NULL);
		work(&c);
		goto out;
	}
	thread = calloc(n, sizeof(*thread));
	if (!thread)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	pthread_mutex_init(&c.lock, NULL);
	pthread_cond_init(&c.turn, NULL);
	for (i = 0; i < n; i++)
		if (pthread_create(&thread[started], NULL, work, &c) == 0)
			started++;
	if (!started)
		work(&c);
	if (l->progress)
		show_progress(&c);
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
out:
	pthread_mutex_destroy(&c.lock);
	pthread_cond_destroy(&c.turn);
	return c.status;
}
