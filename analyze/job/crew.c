/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/crew.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/lib/base/whole.h"

#define PROGRESS_NS 200000000

/* The most files whose results wait for their turn. */
#define HELD_FILES 16

struct held {
	size_t group;
	struct wm_group_outcome made;
};

struct wm_crew {
	const struct wm_load *l;
	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t turn;
	size_t next;
	size_t delivered;
	size_t files;
	struct held held[HELD_FILES];
	size_t held_count, held_files;
	enum wm_status status;
	struct wm_err *err;
	pthread_t *thread;
	unsigned started;
	uint64_t total;
	uint64_t shown; /* time of the last progress, ns */
	uint64_t done_bytes; /* atomic */
};

void wm_group_outcome_read(struct wm_group_outcome *m,
			   const struct wm_file_group *group,
			   const struct wm_file_groups *all,
			   const struct wm_run *run, const struct wm_wish *wish,
			   uint64_t *progress)
{
	memset(m, 0, sizeof(*m));
	m->out = malloc(group->count * sizeof(*m->out));
	if (m->out)
		m->status = wm_group_read(group, all, run, wish, progress,
					  m->out, &m->node_peak, &m->why);
	else
		m->status = wm_err_set(&m->why, WM_NO_MEMORY, "no memory");
}

void wm_group_outcome_release(struct wm_group_outcome *m,
			      const struct wm_file_group *group)
{
	for (size_t i = 0; i < group->count && !m->status; i++)
		if (!m->out[i].status)
			wm_rank_release(&m->out[i].rank);
	if (!m->status)
		wm_node_peak_release(&m->node_peak);
	free(m->out);
	m->out = NULL;
}

static enum wm_status hand_over(struct wm_crew *c, size_t g,
				struct wm_group_outcome *m)
{
	const struct wm_load *l = c->l;
	const struct wm_file_group *group = &l->groups->group[g];
	enum wm_status s = m->status;

	if (s)
		return wm_err_set(c->err, s, "%.400s", m->why.text);
	for (size_t i = 0; i < group->count && !s; i++) {
		struct wm_outcome *o = &m->out[i];

		o->rank.source = group->file[i];
		s = l->deliver(l->context, group->file[i],
			       o->status ? NULL : &o->rank, o->status, &o->why,
			       c->err);
		o->status = WM_END; /* deliver() owns the rank now */
	}
	if (!s && group->node) {
		s = l->node(l->context, g, &m->node_peak, c->err);
		memset(&m->node_peak, 0, sizeof(m->node_peak));
	}
	return s;
}

static void deliver_group(struct wm_crew *c, size_t g,
			  struct wm_group_outcome *m)
{
	if (!c->status)
		c->status = hand_over(c, g, m);
	wm_group_outcome_release(m, &c->l->groups->group[g]);
	c->delivered++;
	c->files += c->l->groups->group[g].count;
}

static void deliver_held(struct wm_crew *c)
{
	size_t i = 0;

	while (i < c->held_count) {
		struct held h = c->held[i];

		if (h.group != c->delivered) {
			i++;
			continue;
		}
		c->held[i] = c->held[--c->held_count];
		c->held_files -= c->l->groups->group[h.group].count;
		deliver_group(c, h.group, &h.made);
		i = 0;
	}
}

void wm_crew_deliver(struct wm_crew *c, size_t g, struct wm_group_outcome *m)
{
	size_t files = c->l->groups->group[g].count;

	pthread_mutex_lock(&c->lock);
	while (c->delivered != g && c->held_files + files > HELD_FILES)
		pthread_cond_wait(&c->turn, &c->lock);
	if (c->delivered == g) {
		deliver_group(c, g, m);
		deliver_held(c);
	} else {
		c->held[c->held_count++] = (struct held){ g, *m };
		c->held_files += files;
	}
	pthread_cond_broadcast(&c->turn);
	pthread_mutex_unlock(&c->lock);
}

bool wm_crew_take(struct wm_crew *c, size_t *g)
{
	bool there;

	pthread_mutex_lock(&c->lock);
	there = !c->status && c->next < c->l->groups->count;
	*g = c->next;
	c->next += (size_t)there;
	pthread_mutex_unlock(&c->lock);
	return there;
}

size_t wm_crew_turn(struct wm_crew *c)
{
	size_t g;

	pthread_mutex_lock(&c->lock);
	g = c->delivered;
	pthread_mutex_unlock(&c->lock);
	return g;
}

static void *read_groups(void *arg)
{
	struct wm_crew *c = arg;
	const struct wm_load *l = c->l;
	struct wm_group_outcome m;
	size_t g;

	while (wm_crew_take(c, &g)) {
		wm_group_outcome_read(&m, &l->groups->group[g], l->groups,
				      l->run, l->wish, &c->done_bytes);
		wm_crew_deliver(c, g, &m);
	}
	return NULL;
}

void wm_crew_progress(struct wm_crew *c, size_t g)
{
	const struct wm_file_group *group = &c->l->groups->group[g];

	for (size_t i = 0; i < group->count; i++)
		__atomic_fetch_add(&c->done_bytes,
				   c->l->run->files[group->file[i]].size,
				   __ATOMIC_RELAXED);
}

/* Called often; prints a few times a second. */
static void show_progress(struct wm_crew *c)
{
	uint64_t done = __atomic_load_n(&c->done_bytes, __ATOMIC_RELAXED);
	struct timespec t;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &t);
	now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	if (now - c->shown < PROGRESS_NS)
		return;
	c->shown = now;
	wm_lower(&done, c->total);
	fprintf(stderr, "\rreading: %3u %%, %zu of %zu ranks ",
		(unsigned)(100.0 * (double)done / (double)c->total), c->files,
		c->l->run->file_count);
}

void wm_crew_nap(struct wm_crew *c, struct wm_nap *nap)
{
	pthread_mutex_lock(&c->lock);
	wm_nap(nap, &c->turn, &c->lock);
	if (c->l->progress)
		show_progress(c);
	pthread_mutex_unlock(&c->lock);
}

static void look_on(struct wm_crew *c)
{
	pthread_mutex_lock(&c->lock);
	while (c->delivered < c->l->groups->count && !c->status) {
		struct wm_nap nap = { PROGRESS_NS };

		wm_nap(&nap, &c->turn, &c->lock);
		show_progress(c);
	}
	pthread_mutex_unlock(&c->lock);
}

enum wm_status wm_crew_start(struct wm_crew **crew, const struct wm_load *l,
			     unsigned threads, bool alone, struct wm_err *err)
{
	struct wm_crew *c = calloc(1, sizeof(*c));

	*crew = c;
	if (c)
		c->thread = calloc(threads, sizeof(*c->thread));
	if (!c || !c->thread) {
		free(c);
		*crew = NULL;
		return wm_no_memory(err, NULL);
	}
	c->l = l;
	c->err = err;
	c->total = 1;
	for (size_t k = 0; k < l->run->file_count; k++)
		c->total += l->run->files[k].size;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->turn, NULL);
	if (threads == 1 && !l->progress && alone) {
		read_groups(c);
		return WM_OK;
	}
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&c->thread[c->started], NULL, read_groups,
				   c) == 0)
			c->started++;
	if (!c->started)
		read_groups(c);
	return WM_OK;
}

enum wm_status wm_crew_end(struct wm_crew *c)
{
	enum wm_status s;

	if (c->l->progress) {
		look_on(c);
		fprintf(stderr, "\r\033[K");
	}
	for (unsigned i = 0; i < c->started; i++)
		pthread_join(c->thread[i], NULL);
	s = c->status;
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->turn);
	free(c->thread);
	free(c);
	return s;
}
