/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/merge.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/replay/access_feed.h"
#include "analyze/lib/replay/replay.h"
#include "analyze/lib/trace/decode.h"

struct lane {
	struct wm_event_data data;
	struct wm_cursor cursor;
	struct wm_slice slice;
	struct wm_feed feed;
	size_t memory;
	bool emptied; /* the rest of the block is in the slice */
};
/* All lanes together may use the largest of LANE_MOST bytes, LANE_BYTE bytes for
 * each byte of the file, and LANE_BLOCK bytes for each block of --max-blocks.
 * A block of the file has more than 250 bytes, and its lane needs 110 KiB.  Once
 * all lanes together use more than LANE_EASY bytes, a lane whose events are
 * decoded is cut to 13 KiB. */
#define LANE_MOST (384u << 20)
#define LANE_BYTE 160
#define LANE_BLOCK 32
#define LANE_EASY (64u << 20)

struct merge_thread {
	uint64_t key; /* order in the heap: time, or the end of waiting */
	uint32_t index;
	uint32_t block; /* next block to load, in wm_trace.blocks */
	uint32_t end; /* behind its last block */
	bool waiting;
	uint64_t addr; /* address for which the thread waits */
	struct lane *lane;
};

struct wait {
	uint32_t at; /* index in the heap */
	uint32_t next, before; /* they wait for the same address; or NOBODY */
};
#define NOBODY UINT32_MAX

struct wm_merge {
	const struct wm_trace *t;
	struct merge_thread *heap; /* lowest (key, index) first */
	size_t count;
	uint64_t skew; /* ticks */
	struct wm_replay replay;
	struct wm_access_feed *accesses; /* NULL: not wanted */
	struct wm_sample_feed *samples;
	struct wait *wait;
	uint64_t wakes;
	uint64_t memory;
	struct wm_tally *tally; /* filled at the end */
	uint64_t *progress;
	bool done; /* everything was given to the passes */
};

static bool is_before(const struct merge_thread *a,
		      const struct merge_thread *b)
{
	return a->key != b->key ? a->key < b->key : a->index < b->index;
}

static void put_thread(struct wm_merge *m, size_t i,
		       const struct merge_thread *x)
{
	m->heap[i] = *x;
	m->wait[x->index].at = (uint32_t)i;
}

static void sift_down(struct wm_merge *m, size_t i)
{
	struct merge_thread x = m->heap[i];

	for (;;) {
		size_t kid = 2 * i + 1;

		if (kid >= m->count)
			break;
		if (kid + 1 < m->count &&
		    is_before(&m->heap[kid + 1], &m->heap[kid]))
			kid++;
		if (!is_before(&m->heap[kid], &x))
			break;
		put_thread(m, i, &m->heap[kid]);
		i = kid;
	}
	put_thread(m, i, &x);
}

static void sift_up(struct wm_merge *m, size_t i)
{
	struct merge_thread x = m->heap[i];

	for (; i && is_before(&x, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
		put_thread(m, i, &m->heap[(i - 1) / 2]);
	put_thread(m, i, &x);
}

static void make_heap(struct wm_merge *m)
{
	for (size_t i = m->count / 2; i-- > 0;)
		sift_down(m, i);
}

/* Returns the element with the second lowest key, or NULL. */
static const struct merge_thread *runner_up(const struct wm_merge *m)
{
	if (m->count < 2)
		return NULL;
	if (m->count > 2 && is_before(&m->heap[2], &m->heap[1]))
		return &m->heap[2];
	return &m->heap[1];
}

static void lane_free(struct wm_merge *m, struct lane *l)
{
	if (!l)
		return;
	m->memory -= l->memory;
	wm_event_data_release(&l->data);
	free(l);
}

static enum wm_status lane_new(struct wm_merge *m, struct merge_thread *th,
			       struct wm_err *err)
{
	struct lane *l = malloc(sizeof(*l));

	if (!l)
		return wm_no_memory(err, NULL);
	wm_event_data_init(&l->data, m->t);
	l->memory = 0;
	l->emptied = false;
	memset(&l->cursor, 0, sizeof(l->cursor));
	memset(&l->feed, 0, sizeof(l->feed));
	l->slice.events = 0;
	l->feed.slice = &l->slice;
	l->feed.thread = m->t->threads[th->index].number;
	th->lane = l;
	return WM_OK;
}

static void count_block(struct wm_merge *m, const struct lane *l,
			const struct wm_event_block *b)
{
	wm_cursor_count(&l->cursor, m->replay.tally.kind);
	if (m->progress)
		__atomic_fetch_add(m->progress, b->size, __ATOMIC_RELAXED);
}

static enum wm_status load_block(struct wm_merge *m, struct merge_thread *th,
				 struct wm_err *err)
{
	const struct wm_event_block *b = &m->t->blocks[th->block];
	struct lane *l = th->lane;
	struct wm_err why;
	enum wm_status r = wm_trace_load(m->t, b, &l->data, err);

	if (!r) {
		r = wm_cursor_init(&l->cursor, m->t, b, &l->data, &why);
		if (r)
			wm_trace_blame(m->t, b->number, b->offset, r, why.text,
				       err);
	}
	if (!r)
		th->block++;
	l->emptied = false;
	return r;
}

/* Decodes the next slice, or returns WM_END after the last slice.  When the
 * lanes use much memory, a block whose events are all decoded is checked to its
 * end at once, and its columns are freed, unless other blocks of the Stream
 * need them. */
static enum wm_status decode_slice(struct wm_merge *m, struct lane *l,
				   const struct wm_event_block *b,
				   struct wm_err *err)
{
	struct wm_slice none;
	enum wm_status r;

	if (l->emptied) {
		l->slice.events = 0;
		return WM_END;
	}
	r = wm_cursor_next(&l->cursor, &l->slice, err);
	if (r == WM_END)
		count_block(m, l, b);
	if (r || l->cursor.left || m->memory <= LANE_EASY ||
	    l->data.stream.next < l->data.stream.blocks)
		return r;
	r = wm_cursor_next(&l->cursor, &none, err);
	if (r != WM_END)
		return r;
	count_block(m, l, b);
	wm_event_data_release(&l->data);
	wm_event_data_init(&l->data, m->t);
	l->emptied = true;
	return WM_OK;
}

/* Checks the memory of all threads that have begun and not ended. */
static enum wm_status count_memory(struct wm_merge *m, struct lane *l,
				   struct wm_err *err)
{
	size_t now = sizeof(*l) + wm_event_data_memory(&l->data);

	m->memory += now - l->memory;
	l->memory = now;
	if (m->memory <= LANE_MOST || m->memory / LANE_BYTE <= m->t->src.size ||
	    m->memory / LANE_BLOCK <= m->replay.passes->max_blocks)
		return WM_OK;
	return wm_err_set(err, WM_BAD_INPUT,
			  "%s: reading threads that run at the same time "
			  "needs %" PRIu64 " MiB or more, too much for a file "
			  "of %" PRIu64 " bytes; --max-blocks N allows %u "
			  "bytes for each of N",
			  m->t->name, m->memory >> 20, m->t->src.size,
			  LANE_BLOCK);
}

/* Reads the next slice of @th, or returns WM_END after its last event.  After
 * the end of a block, only the time of the next block is set: another thread
 * may come first. */
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
			wm_replay_slice_done(&l->feed);
			r = decode_slice(m, l, b, &why);
			if (!r)
				break;
			if (r != WM_END)
				return wm_trace_blame(m->t, b->number,
						      b->offset, r, why.text,
						      err);
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
	l->feed.stray.addr = 0;
	l->feed.event = l->feed.stack = 0;
	l->feed.new_addr = l->feed.old_addr = l->feed.extra = 0;
	th->key = l->slice.time[0];
	return count_memory(m, l, err);
}

/* Returns the end of the first thread's run of events before all others. */
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

static void end_wait(struct merge_thread *th)
{
	th->waiting = false;
	th->key = th->lane->slice.time[th->lane->feed.event];
}

static void stop_waiting(struct wm_merge *m, struct merge_thread *th)
{
	struct wait *w = &m->wait[th->index];
	struct wm_live *all = &m->replay.waiting;
	struct wm_live_slot *first = wm_live_find(all, th->addr);

	end_wait(th);
	if (w->next != NOBODY)
		m->wait[w->next].before = w->before;
	if (w->before != NOBODY)
		m->wait[w->before].next = w->next;
	else if (w->next != NOBODY)
		first->path = w->next;
	else
		wm_live_erase(all, first);
}

static enum wm_status wake_waiters(struct wm_merge *m, uint64_t addr,
				   struct wm_err *err)
{
	struct wm_live *all = &m->replay.waiting;
	struct wm_live_slot *first = wm_live_find(all, addr);

	for (uint32_t i = first->path; i != NOBODY; i = m->wait[i].next) {
		end_wait(&m->heap[m->wait[i].at]);
		sift_up(m, m->wait[i].at);
		m->wakes++;
	}
	wm_live_erase(all, first);
	if (m->wakes <= m->replay.plenty)
		return WM_OK;
	return wm_err_set(err, WM_BAD_INPUT,
			  "%s: threads wait for each other more than %" PRIu64
			  " times, too often for a file of %" PRIu64 " bytes; "
			  "--max-blocks N with N > %" PRIu64 " lifts this "
			  "bound",
			  m->t->name, m->replay.plenty, m->t->src.size,
			  m->replay.plenty);
}

static void start_waiting(struct wm_merge *m)
{
	struct merge_thread *th = &m->heap[0];
	struct wait *w = &m->wait[th->index];
	struct wm_live *all = &m->replay.waiting;
	struct wm_live_slot *first;

	th->waiting = true;
	th->addr = m->replay.addr;
	th->key = th->lane->slice.time[th->lane->feed.event] + m->skew;
	first = wm_live_find(all, th->addr);
	w->before = w->next = NOBODY;
	if (first->addr) {
		w->next = first->path;
		m->wait[w->next].before = th->index;
		first->path = th->index;
	} else {
		/* merge_init() reserved space for all threads */
		(void)wm_live_put(all, first, th->addr, 0, th->index);
	}
	sift_down(m, 0);
}

/* Returns the number, within its thread, of the next event of @th. */
static uint64_t next_event(const struct wm_merge *m,
			   const struct merge_thread *th)
{
	const struct wm_event_block *b = &m->t->blocks[th->block - 1];
	const struct lane *l = th->lane;

	return b->event_first + b->events - l->cursor.left - l->slice.events +
	       l->feed.event;
}

/* Gives the passes the loads and stores before the next event of @th.  If other
 * accesses come between later events, lowers *@to to the event before which
 * they must come. */
static enum wm_status give_accesses(struct wm_merge *m,
				    const struct merge_thread *th, unsigned *to,
				    struct wm_err *err)
{
	uint64_t event = next_event(m, th), until;
	unsigned at = th->lane->feed.event;
	enum wm_status r;

	r = wm_access_feed_event(m->accesses, th->index, event, &until, err);
	if (!r && until - event < *to - at)
		*to = at + (unsigned)(until - event);
	return r;
}

/* Gives the samples before the next event of @th; lowers *@to likewise. */
static enum wm_status give_samples(struct wm_merge *m,
				   const struct merge_thread *th, unsigned *to,
				   struct wm_err *err)
{
	const struct wm_feed *f = &th->lane->feed;
	uint64_t until;
	enum wm_status r = wm_sample_feed_event(m->samples,
						f->slice->time[f->event],
						&until, err);
	unsigned n = f->event + 1;

	while (n < *to && f->slice->time[n] <= until)
		n++;
	*to = n;
	return r;
}

static enum wm_status replay_first(struct wm_merge *m, struct wm_err *err)
{
	struct merge_thread *th = &m->heap[0];
	struct wm_feed *f = &th->lane->feed;
	unsigned to = run_length(m);
	enum wm_step s;

	f->alone = m->count == 1;
	if (m->accesses) {
		enum wm_status r = give_accesses(m, th, &to, err);

		if (r)
			return r;
	}
	if (m->samples) {
		enum wm_status r = give_samples(m, th, &to, err);

		if (r)
			return r;
	}
	if (th->waiting) {
		/* the wait is over, and no other thread touched the address */
		stop_waiting(m, th);
		f->alone = true;
		to = f->event + 1;
	}
	s = wm_replay_events(&m->replay, f, to, err);
	if (s == WM_STEP_FAIL)
		return m->replay.status;
	if (m->accesses && f->event)
		wm_access_feed_replayed(m->accesses, th->index,
					next_event(m, th),
					f->slice->time[f->event - 1]);
	if (s == WM_STEP_WAIT) {
		start_waiting(m);
		return WM_OK;
	}
	if (f->event < f->slice->events)
		th->key = f->slice->time[f->event];
	sift_down(m, 0);
	return s == WM_STEP_WAKE ? wake_waiters(m, m->replay.addr, err) : WM_OK;
}

static enum wm_status advance_merge(struct wm_merge *m, struct wm_err *err)
{
	struct merge_thread *th = &m->heap[0];
	enum wm_status r = WM_OK;

	if (th->lane && th->lane->feed.event < th->lane->slice.events)
		return replay_first(m, err);
	if (!th->lane)
		r = lane_new(m, th, err);
	if (!r)
		r = next_slice(m, th, err);
	if (r == WM_END) {
		r = WM_OK;
		if (wm_replay_end(&m->replay, &th->lane->feed))
			r = wm_no_memory(err, NULL);
		lane_free(m, th->lane);
		put_thread(m, 0, &m->heap[--m->count]);
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
		r = advance_merge(m, err);
	if (r || m->count)
		return r;
	if (m->done)
		return WM_END;
	m->done = true;
	r = wm_replay_flush(&m->replay, err);
	if (!r && m->accesses)
		r = wm_access_feed_rest(m->accesses, err);
	if (!r && m->samples)
		r = wm_sample_feed_rest(m->samples, err);
	if (!r)
		wm_replay_left(&m->replay);
	return r;
}

static enum wm_status merge_init(struct wm_merge *m, struct wm_err *err)
{
	size_t i, n = m->t->thread_count;

	m->heap = calloc(n + 1, sizeof(*m->heap));
	m->wait = calloc(n + 1, sizeof(*m->wait));
	if (!m->heap || !m->wait || wm_live_reserve(&m->replay.waiting, n))
		return wm_no_memory(err, NULL);
	for (i = 0; i < n; i++) {
		const struct wm_trace_thread *th = &m->t->threads[i];

		m->heap[i] = (struct merge_thread){
			.key = m->t->blocks[th->first].first,
			.index = (uint32_t)i,
			.block = th->first,
			.end = th->first + th->count,
		};
		m->wait[i].at = (uint32_t)i;
	}
	m->count = n;
	make_heap(m);
	return WM_OK;
}

enum wm_status wm_merge_open(struct wm_merge **out, const struct wm_trace *t,
			     struct wm_passes *passes, struct wm_tally *tally,
			     uint64_t *progress, struct wm_err *err)
{
	struct wm_merge *m = calloc(1, sizeof(*m));
	enum wm_status r;

	*out = NULL;
	if (!m)
		return wm_no_memory(err, NULL);
	m->t = t;
	m->tally = tally;
	m->progress = progress;
	m->skew = wm_trace_ticks(t, WM_SKEW_NS) + (1ull << t->max_shift);
	r = wm_replay_init(&m->replay, passes, t,
			   t->thread_count > 1 ? m->skew : 0, err);
	if (!r)
		r = merge_init(m, err);
	if (!r)
		r = wm_access_feed_open(&m->accesses, t, &m->replay, progress,
					err);
	if (!r)
		r = wm_sample_feed_open(&m->samples, t, &m->replay, err);
	if (r)
		wm_merge_close(m);
	else
		*out = m;
	return r;
}

void wm_merge_close(struct wm_merge *m)
{
	struct wm_tally *tally;

	if (!m)
		return;
	tally = &m->replay.tally;
	tally->at_most = wm_bound_result(&m->replay.bound);
	for (size_t i = 0; i < m->count; i++)
		lane_free(m, m->heap[i].lane);
	for (size_t i = 0; i < WMT_EV_LIMIT; i++)
		tally->records += tally->kind[i];
	wm_replay_settle(&m->replay);
	tally->kind[WMT_EV_MPI_ALLOC] -= m->replay.handles_made;
	tally->kind[WMT_EV_MPI_FREE] -= m->replay.handles_freed;
	*m->tally = *tally;
	wm_access_feed_close(m->accesses);
	wm_sample_feed_close(m->samples);
	wm_replay_release(&m->replay);
	free(m->heap);
	free(m->wait);
	free(m);
}
