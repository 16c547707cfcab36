/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread passes messages; other threads, as many as the root asks for,
 * read files.  An error is a result, which the root reports, unless root and
 * helper are different builds. */
#include "analyze/job/spread_wire.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/vec.h"
#include "analyze/job/nap.h"
#include "analyze/job/port.h"

#define ROOT 0

/* A unit, and then its result. */
struct task {
	struct task *next;
	struct wm_work_unit unit;
	struct wm_wire w; /* of either; empty: no memory for the result */
};

struct helper {
	pthread_mutex_t lock; /* protects what threads share */
	pthread_cond_t work, done;
	struct task *queue, *finished; /* oldest first */
	bool over;
	/* ranks of this reading that the root prefers */
	uint64_t load;
	struct wm_rank best[WM_RETAINED_COUNT];
	bool known[WM_RETAINED_COUNT];

	/* of the main thread */
	struct task *waiting; /* until the root asks for it */
	pthread_t *thread;
	size_t threads, thread_cap;
};

static void append_task(struct task **list, struct task *j)
{
	while (*list)
		list = &(*list)->next;
	j->next = NULL;
	*list = j;
}

static struct task *remove_first(struct task **list)
{
	struct task *j = *list;

	if (j)
		*list = j->next;
	return j;
}

static void job_free(struct task *j)
{
	wm_unit_release(&j->unit);
	wm_wire_release(&j->w);
	free(j);
}

/* Returns whether the root may retain the call paths of @r: not if it prefers
 * another rank of this helper, whatever the order of the ranks. */
static bool is_wanted(struct helper *h, const struct wm_work_unit *u,
		      const struct wm_rank *r)
{
	struct wm_retainer k = { .choice = u->choice, .number = u->number };
	bool wanted = u->wanted & WM_RETAINS(all) ||
		      (u->wanted & WM_RETAINS_EACH &&
		       wm_retainer_samples(r->rank, r->ranks));

	if (h->load != u->load)
		memset(h->known, 0, sizeof(h->known));
	h->load = u->load;
	for (size_t i = 0; i < WM_RETAINED_all; i++) {
		if (!(u->wanted & 1u << i) ||
		    !wm_retainer_is_better(&k, i, r,
					   h->known[i] ? &h->best[i] : NULL))
			continue;
		h->known[i] = true;
		h->best[i].rank = r->rank;
		h->best[i].in[WM_HOST].peak_bytes = r->in[WM_HOST].peak_bytes;
		h->best[i].page_totals = r->page_totals;
		wanted = true;
	}
	return wanted;
}

static void shrink_unwanted(struct helper *h, const struct wm_work_unit *u,
			    struct wm_group_outcome *m)
{
	pthread_mutex_lock(&h->lock);
	for (size_t i = 0; i < u->group.count && !m->status; i++) {
		if (m->out[i].status)
			continue;
		m->out[i].rank.ranks =
			u->file[i].ranks; /* as the root has it */
		if (!is_wanted(h, u, &m->out[i].rank))
			wm_rank_drop(&m->out[i].rank);
	}
	pthread_mutex_unlock(&h->lock);
}

static void read_unit(struct helper *h, struct task *j)
{
	struct wm_work_unit *u = &j->unit;
	struct wm_run run = { .files = u->file, .file_count = u->group.count };
	struct wm_file_groups groups = { .group = &u->group,
					 .count = 1,
					 .together = u->together };
	struct wm_group_outcome m;
	uint64_t bytes = 0;

	/* raises the limit on open files */
	wm_groups_threads(&groups, 1);
	wm_group_outcome_read(&m, &u->group, &groups, &run, &u->wish, &bytes);
	shrink_unwanted(h, u, &m);
	wm_group_outcome_wire(&j->w, &m, &u->group);
	wm_group_outcome_release(&m, &u->group);
}

static void *do_tasks(void *arg)
{
	struct helper *h = arg;
	struct task *j;

	pthread_mutex_lock(&h->lock);
	while (!h->over) {
		j = remove_first(&h->queue);
		if (!j) {
			pthread_cond_wait(&h->work, &h->lock);
			continue;
		}
		pthread_mutex_unlock(&h->lock);
		wm_unit_wire(&j->w, &j->unit);
		if (!j->w.failed) {
			wm_wire_clear(&j->w);
			read_unit(h, j);
		}
		if (j->w.failed)
			wm_wire_clear(&j->w);
		pthread_mutex_lock(&h->lock);
		append_task(&h->finished, j);
		pthread_cond_signal(&h->done);
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

static void start_threads(struct helper *h, unsigned wanted)
{
	while (h->threads < wanted) {
		pthread_t *t = WM_ROOM(h->thread, h->thread_cap,
				       h->threads + 1);

		if (!t || pthread_create(&t[h->threads], NULL, do_tasks, h))
			break;
		h->threads++;
	}
	if (!h->threads)
		wm_port_abort("no thread can be started");
}

/* Aborts if the unit comes from another build, whose structs may differ. */
static void want_same_build(const uint8_t *unit, size_t size)
{
	char mine[WM_SPREAD_BUILD], theirs[WM_SPREAD_BUILD] = "", why[600];
	char host[HOST_NAME_MAX + 1] = "?";

	wm_spread_build(mine);
	if (size >= sizeof(struct wm_work_unit) &&
	    memcmp(unit, mine, sizeof(mine)) == 0)
		return;
	memcpy(theirs, unit, size < sizeof(theirs) ? size : sizeof(theirs) - 1);
	gethostname(host, sizeof(host) - 1);
	snprintf(why, sizeof(why),
		 "process %d, on %s, is another build of wm-analyze-mpi (%s) "
		 "than process 0 (%s): start the same one on all nodes",
		 wm_port_me(), host, mine, theirs);
	wm_port_abort(why);
}

static void take_unit(struct helper *h, size_t size)
{
	struct task *j = wm_port_memory(sizeof(*j));
	struct wm_work_unit u;

	j->w.data = wm_port_memory(size);
	j->w.size = j->w.cap = size;
	j->w.taking = 1;
	wm_port_receive(ROOT, WM_TAG_UNIT, j->w.data, size);
	want_same_build(j->w.data, size);
	memcpy(&u, j->w.data, sizeof(u));
	pthread_mutex_lock(&h->lock);
	append_task(&h->queue, j);
	pthread_cond_signal(&h->work);
	pthread_mutex_unlock(&h->lock);
	start_threads(h, u.threads);
}

/* Sends the content of a slot, for which the root asks. */
static void send_body(struct helper *h, size_t size)
{
	uint8_t message[64];
	struct task **at, *j;
	uint32_t slot;

	if (size > sizeof(message))
		wm_port_abort("a message makes no sense");
	wm_port_receive(ROOT, WM_TAG_ASK, message, size);
	memcpy(&slot, message, sizeof(slot));
	for (at = &h->waiting; *at && (*at)->unit.slot != slot;)
		at = &(*at)->next;
	j = remove_first(at);
	if (!j)
		wm_port_abort("a message makes no sense");
	wm_port_send(ROOT, WM_TAG_BODY + (int)slot, j->w.data, j->w.size);
	j->w.data = NULL;
	job_free(j);
}

/* Announces a result to the root; a short result is in the same message. */
static void send_result(struct helper *h, struct task *j)
{
	struct wm_result r = { .slot = j->unit.slot, .size = j->w.size };
	size_t size = sizeof(r);
	uint8_t *message;

	if (r.size < WM_SPREAD_LONG)
		size += r.size;
	message = wm_port_memory(size);
	memcpy(message, &r, sizeof(r));
	if (r.size && r.size < WM_SPREAD_LONG)
		memcpy(message + sizeof(r), j->w.data, r.size);
	wm_port_send(ROOT, WM_TAG_RESULT, message, size);
	if (r.size < WM_SPREAD_LONG)
		job_free(j);
	else
		append_task(&h->waiting, j);
}

/* Receives or sends one message; returns false if there is none. */
static bool pass_message(struct helper *h, int *status)
{
	int root = ROOT;
	struct task *j;
	size_t size;

	if (wm_port_poll(&root, WM_TAG_UNIT, &size)) {
		take_unit(h, size);
		return true;
	}
	if (wm_port_poll(&root, WM_TAG_ASK, &size)) {
		send_body(h, size);
		return true;
	}
	pthread_mutex_lock(&h->lock);
	j = remove_first(&h->finished);
	pthread_mutex_unlock(&h->lock);
	if (j) {
		send_result(h, j);
		return true;
	}
	if (wm_port_poll(&root, WM_TAG_QUIT, &size)) {
		uint8_t *message = wm_port_memory(size);

		wm_port_receive(ROOT, WM_TAG_QUIT, message, size);
		memcpy(status, message, sizeof(*status));
		free(message);
		pthread_mutex_lock(&h->lock);
		h->over = true;
		pthread_cond_broadcast(&h->work);
		pthread_mutex_unlock(&h->lock);
		return true;
	}
	return false;
}

int wm_spread_help(void)
{
	struct helper h = { .over = false };
	struct wm_nap nap = { 0 };
	int status = WM_EXIT_UNREADABLE;

	pthread_mutex_init(&h.lock, NULL);
	pthread_cond_init(&h.work, NULL);
	pthread_cond_init(&h.done, NULL);
	while (!h.over) {
		bool active = pass_message(&h, &status);

		if (wm_port_progress() || active)
			nap.ns = 0;
		if (active)
			continue;
		pthread_mutex_lock(&h.lock);
		if (!h.finished)
			wm_nap(&nap, &h.done, &h.lock);
		pthread_mutex_unlock(&h.lock);
	}
	for (size_t i = 0; i < h.threads; i++)
		pthread_join(h.thread[i], NULL);
	free(h.thread);
	pthread_cond_destroy(&h.work);
	pthread_cond_destroy(&h.done);
	pthread_mutex_destroy(&h.lock);
	return status;
}
