/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes by call path at one moment (--at): the highest moment within the
 * last digit of a time, a snapshot, or the highest moment of a phase.  The
 * result replaces the breakdown at the peak in wm_use.peak_bytes and
 * .peak_blocks, so every list can show any moment.  The epoch method of
 * pass_heap.c finds the moments of a phase and of a time.  If a phase has a new
 * peak when it ends, the values of all paths are saved, as at a snapshot. */
#include "analyze/lib/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/passes/moment.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

struct path_live {
	uint64_t bytes, blocks;
};

struct path_state {
	struct path_live now, saved;
	uint64_t epoch; /* of saved */
};

struct seen {
	struct path_live *path; /* NULL: not yet */
	uint64_t bytes, time; /* AS_ASKED: the moment that was asked for */
};
#define AS_ASKED UINT64_MAX

struct moment {
	struct path_state *path;
	size_t count;
	struct wm_moment_wish wish;
	const struct wm_trace *trace;
	struct wm_moment_span span; /* if the wish is a time */
	bool asked, over;

	uint64_t live, epoch;
	struct seen snapshot, phase; /* phase: or highest of the span */
	bool in_phase;
	bool moved; /* the phase has a new peak since it was entered */
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
	m->span = wm_moment_span(t, &m->wish);
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

/* Saves the memory alive now or, with @saved, at the peak of the phase. */
static enum wm_status keep_seen(struct moment *m, struct seen *n, bool saved,
				struct wm_err *err)
{
	if (!n->path)
		n->path = calloc(m->count, sizeof(*n->path));
	if (!n->path)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < m->count; i++) {
		const struct path_state *p = &m->path[i];

		n->path[i] = saved && p->epoch == m->epoch ? p->saved : p->now;
	}
	return WM_OK;
}

static enum wm_status leave_phase(struct moment *m, struct wm_err *err)
{
	bool moved = m->moved;

	m->in_phase = m->moved = false;
	return moved ? keep_seen(m, &m->phase, true, err) : WM_OK;
}

/* The first peak of a phase is the memory at its begin. */
static void enter_phase(struct moment *m, uint64_t time)
{
	m->in_phase = true;
	if (m->phase.path && m->live <= m->phase.bytes)
		return;
	m->phase.bytes = m->live;
	m->phase.time = time;
	m->epoch++;
	m->moved = true;
}

/* Called after all changes up to the moment that was asked for.  Takes that
 * moment if it is the highest of its span so far. */
static void note_asked(struct moment *m)
{
	m->asked = true;
	if (m->live > m->phase.bytes || !m->moved) {
		m->phase.bytes = m->live;
		m->phase.time = AS_ASKED;
		m->epoch++;
		m->moved = true;
	}
}

/* @time is that of the next change. */
static enum wm_status look_at_span(struct moment *m, uint64_t time,
				   struct wm_err *err)
{
	if (time > m->span.at && !m->asked)
		note_asked(m);
	m->over = time > m->span.to;
	m->in_phase = time >= m->span.from;
	return m->over ? leave_phase(m, err) : WM_OK;
}

static enum wm_status take_run(struct moment *m, const struct wm_changes *c,
			       size_t from, size_t to, struct wm_err *err)
{
	bool named = m->wish.way == WM_MOMENT_NAMED;
	enum wm_status s = WM_OK;

	for (size_t i = from; i < to && !m->over && !s; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (!named)
			s = look_at_span(m, c->time[i], err);
		if (!m->over)
			take_change(m, c, i);
	}
	return s;
}

static bool is_wished(const struct moment *m, const struct wm_mark *k)
{
	const char *name = wm_trace_name(m->trace, k->name);

	return name && strcmp(name, m->wish.name) == 0;
}

static enum wm_status take_mark(struct moment *m, const struct wm_mark *k,
				struct wm_err *err)
{
	enum wm_status s;

	if (k->kind == WM_MARK_SNAPSHOT) {
		/* of snapshots with the name, takes the one with most bytes */
		if (!is_wished(m, k) ||
		    (m->snapshot.path && m->live <= m->snapshot.bytes))
			return WM_OK;
		m->snapshot.bytes = m->live;
		m->snapshot.time = k->time;
		return keep_seen(m, &m->snapshot, false, err);
	}
	s = leave_phase(m, err);
	if (s || !is_wished(m, k))
		return s;
	enter_phase(m, k->time);
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
			s = take_run(m, c, from, c->mark[i].at, err);
			from = c->mark[i].at;
			if (!s)
				s = take_mark(m, &c->mark[i], err);
		}
	return s ? s : take_run(m, c, from, c->count, err);
}

static const struct seen *choose(const struct moment *m)
{
	bool named = m->wish.way == WM_MOMENT_NAMED;

	if (named && m->wish.what & WM_MOMENT_SNAPSHOT && m->snapshot.path)
		return &m->snapshot;
	if ((!named || m->wish.what & WM_MOMENT_PHASE) && m->phase.path)
		return &m->phase;
	return NULL;
}

static enum wm_status moment_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	static const struct path_live nothing;
	struct moment *m = state;
	const struct seen *n;
	enum wm_status s;

	/* the moment is later than all changes */
	if (m->wish.way != WM_MOMENT_NAMED && !m->asked)
		note_asked(m);
	s = leave_phase(m, err);
	if (s)
		return s;
	if (!rank->use)
		rank->use = calloc(m->count, sizeof(*rank->use));
	if (!rank->use)
		return wm_no_memory(err, NULL);
	n = choose(m);
	rank->moment_missing = !n;
	rank->moment_seconds = n && n->time != AS_ASKED ?
				       wm_trace_seconds(t, n->time) :
				       wm_moment_seconds(t, &m->wish);
	for (size_t i = 0; i < m->count; i++) {
		const struct path_live *p = n ? &n->path[i] : &nothing;

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
