/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes by call path at one moment (--at): a time, which all changes up to
 * the first one that comes later count for; a snapshot of the program; or the
 * highest moment of one of its phases.
 *
 * Puts what was alive at that time where the breakdown at the peak would be,
 * in wm_use.peak_bytes and peak_blocks, so that every list can be asked for
 * any time.
 *
 * Of a phase it is the epoch method of pass_heap.c: a new peak begins an epoch,
 * and a path that changes for the first time in it saves its value.  When the
 * phase ends and its peak has moved, the values of all paths are put aside, as
 * they are at a snapshot.
 */
#include "analyze/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/passes/moment.h"
#include "analyze/passes/rank.h"
#include "analyze/trace/reader.h"

struct path_live {
	uint64_t bytes, blocks;
};

struct path_state {
	struct path_live now, saved;
	uint64_t epoch; /* of saved */
};

/* A moment that has a name, as far as it was seen. */
struct named {
	struct path_live *path; /* NULL: not yet */
	uint64_t bytes, time;
};

struct moment {
	struct path_state *path;
	size_t count;
	struct wm_moment_wish wish;
	const struct wm_trace *trace;
	uint64_t last; /* ticks of the moment, where it is a time */
	bool over;

	uint64_t live, epoch;
	struct named snapshot, phase;
	bool in_phase;
	bool moved; /* the peak of the phase, since it was entered */
};

static void moment_wish(void *state, const struct wm_wish *wish)
{
	struct moment *m = state;

	m->wish = wish->moment;
}

static enum wm_status moment_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct moment *m = state;

	m->trace = t;
	m->count = t->paths.path_count;
	m->last = wm_moment_last(t, &m->wish);
	m->epoch = 1;
	m->path = calloc(m->count, sizeof(*m->path));
	if (!m->path)
		return wm_err_set(err, WM_NO_MEMORY,
				  "no memory for %zu call paths", m->count);
	return WM_OK;
}

static void take_change(struct moment *m, const struct wm_changes *c, size_t i)
{
	struct path_state *p = &m->path[c->who[i] & ~WM_RELEASE];
	bool gone = (c->who[i] & WM_RELEASE) != 0;
	uint64_t delta = gone ? -c->bytes[i] : c->bytes[i];

	if (p->epoch != m->epoch) {
		p->epoch = m->epoch;
		p->saved = p->now;
	}
	p->now.bytes += delta;
	p->now.blocks += gone ? -1ull : 1;
	m->live += delta;
	if (m->in_phase && !gone && m->live > m->phase.bytes) {
		m->phase.bytes = m->live;
		m->phase.time = c->time[i];
		m->epoch++;
		m->moved = true;
	}
}

/* Changes [@from, @to). */
static void take_run(struct moment *m, const struct wm_changes *c, size_t from,
		     size_t to)
{
	size_t i;

	for (i = from; i < to && !m->over; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (c->time[i] > m->last)
			m->over = true;
		else
			take_change(m, c, i);
	}
}

/* Put aside what is alive now, or was @saved at the peak of the phase. */
static enum wm_status keep_named(struct moment *m, struct named *n, bool saved,
				 struct wm_err *err)
{
	size_t i;

	if (!n->path)
		n->path = calloc(m->count, sizeof(*n->path));
	if (!n->path)
		return wm_no_memory(err, NULL);
	for (i = 0; i < m->count; i++) {
		const struct path_state *p = &m->path[i];

		n->path[i] = saved && p->epoch == m->epoch ? p->saved : p->now;
	}
	return WM_OK;
}

static enum wm_status leave_phase(struct moment *m, struct wm_err *err)
{
	bool moved = m->in_phase && m->moved;

	m->in_phase = m->moved = false;
	return moved ? keep_named(m, &m->phase, true, err) : WM_OK;
}

static bool is_wished(const struct moment *m, const struct wm_mark *k)
{
	const char *name = k->name && k->name <= m->trace->name_count ?
				   m->trace->names[k->name - 1] :
				   NULL;

	return name && strcmp(name, m->wish.name) == 0;
}

static enum wm_status take_mark(struct moment *m, const struct wm_mark *k,
				struct wm_err *err)
{
	enum wm_status s;

	if (k->kind == WM_MARK_SNAPSHOT) {
		/* of several of one name that in which most is alive */
		if (!is_wished(m, k) ||
		    (m->snapshot.path && m->live <= m->snapshot.bytes))
			return WM_OK;
		m->snapshot.bytes = m->live;
		m->snapshot.time = k->time;
		return keep_named(m, &m->snapshot, false, err);
	}
	s = leave_phase(m, err);
	if (s || !is_wished(m, k))
		return s;
	m->in_phase = true;
	/* what is there already is its first peak */
	if (!m->phase.path || m->live > m->phase.bytes) {
		m->phase.bytes = m->live;
		m->phase.time = k->time;
		m->epoch++;
		m->moved = true;
	}
	return WM_OK;
}

static enum wm_status moment_take(void *state, const struct wm_changes *c,
				  struct wm_err *err)
{
	struct moment *m = state;
	enum wm_status s = WM_OK;
	size_t i, from = 0;

	if (m->wish.way == WM_MOMENT_NAMED)
		for (i = 0; i < c->marks && !s; i++) {
			if (c->mark[i].kind != WM_MARK_SNAPSHOT &&
			    c->mark[i].kind != WM_MARK_PHASE)
				continue;
			take_run(m, c, from, c->mark[i].at);
			from = c->mark[i].at;
			s = take_mark(m, &c->mark[i], err);
		}
	if (!s)
		take_run(m, c, from, c->count);
	return s;
}

static const struct named *choose_named(const struct moment *m)
{
	if (m->wish.what & WM_MOMENT_SNAPSHOT && m->snapshot.path)
		return &m->snapshot;
	if (m->wish.what & WM_MOMENT_PHASE && m->phase.path)
		return &m->phase;
	return NULL;
}

static enum wm_status moment_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	static const struct path_live nothing;
	struct moment *m = state;
	bool named = m->wish.way == WM_MOMENT_NAMED;
	const struct named *n;
	enum wm_status s = leave_phase(m, err);
	size_t i;

	if (s)
		return s;
	if (!rank->use)
		rank->use = calloc(m->count, sizeof(*rank->use));
	if (!rank->use)
		return wm_no_memory(err, NULL);
	n = named ? choose_named(m) : NULL;
	rank->moment_missing = named && !n;
	rank->moment_seconds = n ? wm_trace_seconds(t, n->time) :
				   wm_moment_seconds(t, &m->wish);
	for (i = 0; i < m->count; i++) {
		const struct path_live *p = n	  ? &n->path[i] :
					    named ? &nothing :
						    &m->path[i].now;

		rank->use[i].peak_bytes = p->bytes;
		rank->use[i].peak_blocks = p->blocks;
	}
	return WM_OK;
}

static void moment_release(void *state)
{
	struct moment *m = state;

	free(m->path);
	free(m->snapshot.path);
	free(m->phase.path);
}

const struct wm_pass_ops wm_pass_moment = {
	.name = "moment",
	.state_size = sizeof(struct moment),
	.wish = moment_wish,
	.init = moment_init,
	.take = moment_take,
	.finish = moment_finish,
	.release = moment_release,
};
