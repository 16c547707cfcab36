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
	size_t next; /* group that nobody has taken */
	size_t delivered; /* groups that were delivered */
	size_t files; /* of those */
	enum wm_status status;
	struct wm_err *err;
	uint64_t done_bytes; /* atomic */
};

/* What was made of a group. */
struct made {
	struct wm_outcome *out;
	struct wm_machine node;
	enum wm_status status;
	struct wm_err why;
};

/* Hand the files of group @g over, and what is known of their node. */
static enum wm_status hand_over(struct crew *c, size_t g, struct made *m)
{
	const struct wm_load *l = c->l;
	const struct wm_file_group *group = &l->groups->group[g];
	enum wm_status s = c->status;
	size_t i;

	if (!s && m->status)
		s = wm_err_set(c->err, m->status, "%.400s", m->why.text);
	if (m->status)
		return s;
	for (i = 0; i < group->count; i++) {
		struct wm_outcome *o = &m->out[i];

		o->rank.source = group->file[i];
		if (!s)
			s = l->deliver(l->context, group->file[i],
				       o->status ? NULL : &o->rank, o->status,
				       &o->why, c->err);
		else if (!o->status)
			wm_rank_release(&o->rank);
	}
	if (!s && group->node)
		return l->node(l->context, g, &m->node, c->err);
	wm_machine_release(&m->node);
	return s;
}

/* Wait for the turn of group @g and deliver it. */
static void deliver(struct crew *c, size_t g, struct made *m)
{
	pthread_mutex_lock(&c->lock);
	while (c->delivered != g)
		pthread_cond_wait(&c->turn, &c->lock);
	c->status = hand_over(c, g, m);
	c->delivered++;
	c->files += c->l->groups->group[g].count;
	pthread_cond_broadcast(&c->turn);
	pthread_mutex_unlock(&c->lock);
}

static void read_group(struct crew *c, size_t g)
{
	const struct wm_load *l = c->l;
	const struct wm_file_group *group = &l->groups->group[g];
	struct made m = { .out = malloc(group->count * sizeof(*m.out)) };

	if (m.out)
		m.status = wm_group_read(group, l->groups, l->run, l->needs,
					 &c->done_bytes, m.out, &m.node,
					 &m.why);
	else
		m.status = wm_err_set(&m.why, WM_NO_MEMORY, "no memory");
	deliver(c, g, &m);
	free(m.out);
}

static void *work(void *arg)
{
	struct crew *c = arg;
	size_t g, n = c->l->groups->count;

	for (;;) {
		pthread_mutex_lock(&c->lock);
		g = c->status ? n : c->next;
		if (g < n)
			c->next++;
		pthread_mutex_unlock(&c->lock);
		if (g >= n)
			return NULL;
		read_group(c, g);
	}
}

unsigned wm_load_jobs(unsigned jobs, size_t groups)
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
	if (n > groups)
		n = (unsigned)groups;
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
		c->files, c->l->run->file_count);
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
	while (c->delivered < c->l->groups->count && !c->status) {
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
	unsigned n = wm_load_jobs(l->jobs, l->groups->count), started = 0, i;
	pthread_t *thread;

	n = wm_groups_jobs(l->groups, n);
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
