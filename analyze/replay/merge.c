/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/replay/merge.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/replay/replay.h"
#include "analyze/trace/decode.h"

/* What a thread needs from its first to its last event. */
struct lane {
	struct wm_event_data data;
	struct wm_cursor cursor;
	struct wm_slice slice;
	struct wm_feed feed;
};

struct merge_thread {
	uint64_t key; /* heap order: time, or the end of waiting */
	uint32_t index; /* of wm_trace.threads */
	uint32_t block; /* next one to load, of wm_trace.blocks */
	uint32_t end; /* behind its last block */
	int waiting;
	uint64_t addr; /* that it waits for */
	struct lane *lane;
};

struct wm_merge {
	const struct wm_trace *t;
	struct merge_thread *heap; /* smallest (key, index) first */
	size_t count;
	uint64_t window; /* ticks */
	struct wm_replay replay;
	uint64_t *waiting; /* addresses, for replay */
	struct wm_tally *tally;
	uint64_t *bad, *progress;
	int done; /* the passes have everything */
};

static int before(const struct merge_thread *a, const struct merge_thread *b)
{
	return a->key != b->key ? a->key < b->key : a->index < b->index;
}

/* The heap is in order but for element @i, which may have to move down. */
static void sift_down(struct wm_merge *m, size_t i)
{
	struct merge_thread x = m->heap[i];

	for (;;) {
		size_t kid = 2 * i + 1;

		if (kid >= m->count)
			break;
		if (kid + 1 < m->count &&
		    before(&m->heap[kid + 1], &m->heap[kid]))
			kid++;
		if (!before(&m->heap[kid], &x))
			break;
		m->heap[i] = m->heap[kid];
		i = kid;
	}
	m->heap[i] = x;
}

static void heapify(struct wm_merge *m)
{
	size_t i;

	for (i = m->count / 2; i-- > 0;)
		sift_down(m, i);
}

/* The second smallest element, or NULL. */
static const struct merge_thread *runner_up(const struct wm_merge *m)
{
	if (m->count < 2)
		return NULL;
	if (m->count > 2 && before(&m->heap[2], &m->heap[1]))
		return &m->heap[2];
	return &m->heap[1];
}

static void lane_free(struct lane *l)
{
	if (!l)
		return;
	wm_event_data_release(&l->data);
	free(l);
}

static enum wm_status lane_new(struct wm_merge *m, struct merge_thread *th,
			       struct wm_err *err)
{
	struct lane *l = malloc(sizeof(*l));

	if (!l)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_event_data_init(&l->data, m->t);
	l->data.ids = m->t->ids;
	memset(&l->cursor, 0, sizeof(l->cursor));
	memset(&l->feed, 0, sizeof(l->feed));
	l->slice.events = 0;
	l->feed.slice = &l->slice;
	th->lane = l;
	return WM_OK;
}

/* The block that the lane holds is read to its end. */
static void count_block(struct wm_merge *m, const struct lane *l)
{
	wm_cursor_count(&l->cursor, m->tally->kind);
	if (m->progress)
		__atomic_fetch_add(m->progress, l->data.src.have,
				   __ATOMIC_RELAXED);
}

static enum wm_status load_block(struct wm_merge *m, struct merge_thread *th,
				 struct wm_err *err)
{
	const struct wm_event_block *b = &m->t->blocks[th->block];
	struct lane *l = th->lane;
	enum wm_status r;
	struct wm_err why;

	r = wm_trace_load(m->t, b, &l->data, err);
	if (!r) {
		r = wm_cursor_init(&l->cursor, m->t, b, &l->data, &why);
		if (r)
			wm_trace_blame(m->t, b->number, b->offset, r, why.text,
				       err);
	}
	if (r)
		*m->bad = b->number;
	else
		th->block++;
	return r;
}

/*
 * The next slice of @th, or WM_END after its last event.  A block is loaded
 * when its turn has come, not before: another thread may be first.
 */
static enum wm_status next_slice(struct wm_merge *m, struct merge_thread *th,
				 struct wm_err *err)
{
	struct lane *l = th->lane;
	struct wm_err why;
	enum wm_status r;

	for (;;) {
		const struct wm_event_block *b;

		if (l->cursor.gen) {
			b = &m->t->blocks[th->block - 1];
			wm_replay_expect(&m->replay, &l->cursor);
			r = wm_cursor_next(&l->cursor, &l->slice, &why);
			if (!r)
				break;
			if (r != WM_END) {
				*m->bad = b->number;
				return wm_trace_blame(m->t, b->number,
						      b->offset, r, why.text,
						      err);
			}
			count_block(m, l);
			l->cursor.gen = NULL;
			l->slice.events = 0;
			l->feed.event = 0;
			if (th->block < th->end)
				th->key = m->t->blocks[th->block].first;
			return th->block < th->end ? WM_OK : WM_END;
		}
		r = load_block(m, th, err);
		if (r)
			return r;
	}
	l->feed.event = l->feed.stack = 0;
	l->feed.new_addr = l->feed.old_addr = l->feed.extra = 0;
	th->key = l->slice.time[0];
	return WM_OK;
}

/* The events of the smallest thread that come before those of any other. */
static unsigned run_length(const struct wm_merge *m)
{
	const struct merge_thread *th = &m->heap[0], *next = runner_up(m);
	const struct wm_slice *s = &th->lane->slice;
	unsigned i = th->lane->feed.event + 1;

	if (!next)
		return s->events;
	while (i < s->events &&
	       (s->time[i] < next->key ||
		(s->time[i] == next->key && th->index < next->index)))
		i++;
	return i;
}

static void stop_waiting(struct wm_merge *m, size_t i)
{
	struct merge_thread *th = &m->heap[i];
	size_t j;

	th->waiting = 0;
	th->key = th->lane->slice.time[th->lane->feed.event];
	for (j = 0; m->waiting[j] != th->addr; j++)
		;
	m->waiting[j] = m->waiting[--m->replay.waiting_count];
}

/* An event touched @addr: who waits for it has its own time again. */
static void wake(struct wm_merge *m, uint64_t addr)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		if (m->heap[i].waiting && m->heap[i].addr == addr)
			stop_waiting(m, i);
	heapify(m);
}

static void start_waiting(struct wm_merge *m)
{
	struct merge_thread *th = &m->heap[0];

	th->waiting = 1;
	th->addr = m->replay.addr;
	th->key = th->lane->slice.time[th->lane->feed.event] + m->window;
	m->waiting[m->replay.waiting_count++] = th->addr;
	sift_down(m, 0);
}

/* Replay from the smallest thread; it has a slice. */
static enum wm_status step(struct wm_merge *m, struct wm_err *err)
{
	struct merge_thread *th = &m->heap[0];
	struct wm_feed *f = &th->lane->feed;
	unsigned to = run_length(m);
	enum wm_step s;

	f->alone = m->count == 1;
	if (th->waiting) {
		/* the time has passed, and nobody came */
		stop_waiting(m, 0);
		f->alone = 1;
		to = f->event + 1;
	}
	s = wm_replay_events(&m->replay, f, to, err);
	if (s == WM_STEP_FAIL)
		return m->replay.status;
	if (s == WM_STEP_WAIT) {
		start_waiting(m);
		return WM_OK;
	}
	if (f->event < f->slice->events)
		th->key = f->slice->time[f->event];
	sift_down(m, 0);
	if (s == WM_STEP_WAKE)
		wake(m, m->replay.addr);
	return WM_OK;
}

/* Replay some events more, or load what comes next. */
static enum wm_status advance(struct wm_merge *m, struct wm_err *err)
{
	struct merge_thread *th = &m->heap[0];
	enum wm_status r = WM_OK;

	if (th->lane && th->lane->feed.event < th->lane->slice.events)
		return step(m, err);
	if (!th->lane)
		r = lane_new(m, th, err);
	if (!r)
		r = next_slice(m, th, err);
	if (r == WM_END) {
		r = WM_OK;
		if (wm_replay_end(&m->replay, &th->lane->feed))
			r = wm_err_set(err, WM_NO_MEMORY, "no memory");
		lane_free(th->lane);
		*th = m->heap[--m->count];
	}
	if (!r && m->count)
		sift_down(m, 0);
	return r;
}

enum wm_status wm_merge_next(struct wm_merge *m, struct wm_err *err)
{
	uint64_t before = m->replay.batches;
	enum wm_status r = WM_OK;

	while (m->count && !r && m->replay.batches == before)
		r = advance(m, err);
	if (r || m->count)
		return r;
	if (m->done)
		return WM_END;
	m->done = 1;
	r = wm_replay_flush(&m->replay, err);
	if (!r)
		wm_replay_left(&m->replay);
	return r;
}

static enum wm_status merge_init(struct wm_merge *m, struct wm_err *err)
{
	size_t i, n = m->t->thread_count;

	m->heap = calloc(n + 1, sizeof(*m->heap));
	m->waiting = calloc(n + 1, sizeof(*m->waiting));
	if (!m->heap || !m->waiting)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < n; i++) {
		const struct wm_trace_thread *th = &m->t->threads[i];

		m->heap[i] = (struct merge_thread){
			.key = m->t->blocks[th->first].first,
			.index = (uint32_t)i,
			.block = th->first,
			.end = th->first + th->count,
		};
	}
	m->count = n;
	heapify(m);
	m->replay.waiting = m->waiting;
	return WM_OK;
}

enum wm_status wm_merge_open(struct wm_merge **out, const struct wm_trace *t,
			     struct wm_passes *passes, struct wm_tally *tally,
			     uint64_t *bad, uint64_t *progress,
			     struct wm_err *err)
{
	struct wm_merge *m = calloc(1, sizeof(*m));
	enum wm_status r;

	*out = NULL;
	if (!m)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	memset(tally, 0, sizeof(*tally));
	m->t = t;
	m->tally = tally;
	m->bad = bad;
	m->progress = progress;
	m->window = wm_trace_ticks(t, WM_SKEW_NS) + (1ull << t->max_shift);
	r = wm_replay_init(&m->replay, passes, t,
			   t->thread_count > 1 ? m->window : 0, err);
	if (!r && t->ids)
		wm_replay_numbers(&m->replay);
	if (!r)
		r = merge_init(m, err);
	if (r)
		wm_merge_close(m);
	else
		*out = m;
	return r;
}

void wm_merge_close(struct wm_merge *m)
{
	struct wm_tally *tally;
	size_t i;

	if (!m)
		return;
	tally = m->tally;
	for (i = 0; i < m->count; i++)
		lane_free(m->heap[i].lane);
	for (i = 0; i < WMT_EV_LIMIT; i++)
		tally->records += tally->kind[i];
	/* debts: releases that found no block of their own */
	tally->unknown_free = m->replay.unknown_free + m->replay.debts;
	tally->unrecorded = m->replay.unrecorded;
	tally->conflicts = m->replay.conflicts;
	tally->unpaired = m->replay.unpaired;
	tally->at_most = wm_bound_result(&m->replay.bound);
	wm_replay_release(&m->replay);
	free(m->heap);
	free(m->waiting);
	free(m);
}
