/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/access_feed.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/read_accesses.h"
#include "wm/search.h"

#define NOBODY UINT32_MAX

struct lane {
	uint64_t thread;
	uint64_t stream, base; /* `base` is that of its first block */
	uint64_t events;
	struct inflow *in; /* NULL: the lane has not begun, or has ended */
	size_t memory;
	bool begun;
};

struct inflow {
	struct wm_accesses src;
	struct wm_access access[WM_ACCESS_BATCH];
	size_t from, count; /* accesses not given yet */
	uint64_t given; /* number of accesses before access[from] */
	struct wm_access_seen *seen; /* counts before events not replayed yet */
	size_t seen_from, seen_count, seen_cap;
	bool ended; /* no accesses follow, but some of `seen` may be left */
};

/* The lanes of a stream are by_stream[first .. end), by base. */
struct stream {
	uint64_t number;
	uint32_t first, end;
};

/* The most memory of all lanes: LANES_MOST bytes, or LANES_BYTE bytes for each
 * byte of the file, whichever is more. */
#define LANES_MOST (384u << 20)
#define LANES_BYTE 160
/* At the end, the remaining lanes take turns in groups of this size. */
#define TURNS 64

struct wm_access_feed {
	const struct wm_trace *t;
	struct wm_replay *replay;
	struct lane *lane;
	size_t lanes;
	uint32_t *of; /* the lane of each thread with events, or NOBODY */
	uint32_t *by_stream;
	struct stream *stream;
	size_t streams;
	uint64_t time;
	uint64_t memory;
	uint64_t *progress;
	uint32_t cell[WM_ACCESS_BATCH];
	uint64_t base[WM_ACCESS_BATCH];
};

static void end_lane(struct wm_access_feed *f, struct lane *l)
{
	if (!l->in)
		return;
	f->memory -= l->memory;
	wm_accesses_release(&l->in->src);
	free(l->in->seen);
	free(l->in);
	l->in = NULL;
}

static bool has_ended(const struct lane *l)
{
	return l->begun && (!l->in || l->in->ended);
}

static bool find_lanes(struct wm_access_feed *f)
{
	const struct wm_trace *t = f->t;
	const struct wm_accesses_block *b = t->access_blocks;
	size_t i, k = 0;

	f->lane = calloc(t->access_block_count, sizeof(*f->lane));
	f->of = calloc(t->thread_count + 1, sizeof(*f->of));
	if (!f->lane || !f->of)
		return false;
	for (i = 0; i < t->access_block_count; i++)
		if (!i || b[i].thread != b[i - 1].thread)
			f->lane[f->lanes++] = (struct lane){
				.thread = b[i].thread,
				.stream = b[i].stream,
				.base = b[i].base,
				.events = UINT64_MAX,
			};
	for (i = 0; i < t->thread_count; i++) {
		uint32_t number = t->threads[i].number;

		while (k < f->lanes && f->lane[k].thread < number)
			k++;
		f->of[i] = NOBODY;
		if (k == f->lanes || f->lane[k].thread != number)
			continue;
		f->of[i] = (uint32_t)k;
		f->lane[k].events = t->blocks[t->threads[i].first].event_first;
	}
	return true;
}

static int by_stream(const void *a, const void *b, void *lanes)
{
	const struct lane *x = (struct lane *)lanes + *(const uint32_t *)a;
	const struct lane *y = (struct lane *)lanes + *(const uint32_t *)b;

	return WM_KEYS(WM_ORDER(x->stream, y->stream),
		       WM_ORDER(x->base, y->base), WM_ORDER(x, y));
}

static bool find_streams(struct wm_access_feed *f)
{
	uint32_t n = (uint32_t)f->lanes;

	f->by_stream = calloc(f->lanes, sizeof(*f->by_stream));
	f->stream = calloc(f->lanes, sizeof(*f->stream));
	if (!f->by_stream || !f->stream)
		return false;
	for (uint32_t i = 0; i < n; i++)
		f->by_stream[i] = i;
	qsort_r(f->by_stream, n, sizeof(*f->by_stream), by_stream, f->lane);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t number = f->lane[f->by_stream[i]].stream;

		if (!i || f->stream[f->streams - 1].number != number)
			f->stream[f->streams++] = (struct stream){ number, i,
								   i };
		f->stream[f->streams - 1].end = i + 1;
	}
	return true;
}

enum wm_status wm_access_feed_open(struct wm_access_feed **out,
				   const struct wm_trace *t,
				   struct wm_replay *r, uint64_t *progress,
				   struct wm_err *err)
{
	struct wm_access_feed *f;

	*out = NULL;
	if (!r->passes->accesses || !t->access_block_count)
		return WM_OK;
	f = calloc(1, sizeof(*f));
	if (!f)
		return wm_no_memory(err, NULL);
	f->t = t;
	f->replay = r;
	f->progress = progress;
	if (!find_lanes(f) || !find_streams(f)) {
		wm_access_feed_close(f);
		return wm_no_memory(err, NULL);
	}
	*out = f;
	return WM_OK;
}

void wm_access_feed_close(struct wm_access_feed *f)
{
	if (!f)
		return;
	for (size_t i = 0; f->lane && i < f->lanes; i++)
		end_lane(f, &f->lane[i]);
	free(f->lane);
	free(f->of);
	free(f->by_stream);
	free(f->stream);
	free(f);
}

void wm_access_feed_replayed(struct wm_access_feed *f, uint32_t index,
			     uint64_t event, uint64_t time)
{
	f->time = time;
	if (f->of[index] != NOBODY)
		f->lane[f->of[index]].events = event;
}

static enum wm_status count_memory(struct wm_access_feed *f, struct lane *l,
				   struct wm_err *err)
{
	size_t now = sizeof(*l->in) + wm_accesses_memory(&l->in->src) +
		     l->in->seen_cap * sizeof(*l->in->seen);

	f->memory += now - l->memory;
	l->memory = now;
	if (f->memory <= LANES_MOST || f->memory / LANES_BYTE <= f->t->src.size)
		return WM_OK;
	return wm_err_set(err, WM_BAD_INPUT,
			  "%s: reading the loads and stores of threads that "
			  "run at the same time needs %" PRIu64 " MiB or "
			  "more, too much for a file of %" PRIu64 " bytes",
			  f->t->name, f->memory >> 20, f->t->src.size);
}

static enum wm_status begin_lane(struct wm_access_feed *f, struct lane *l,
				 struct wm_err *err)
{
	if (l->begun)
		return WM_OK;
	l->begun = true;
	l->in = calloc(1, sizeof(*l->in));
	if (!l->in)
		return wm_no_memory(err, NULL);
	wm_accesses_open(&l->in->src, f->t, l->thread);
	return WM_OK;
}

enum wm_status wm_access_feed_give(struct wm_replay *r,
				   struct wm_access_batch *b,
				   struct wm_err *err)
{
	enum wm_status s = WM_OK;

	if (r->changes.count || r->changes.marks)
		s = wm_replay_flush(r, err);
	return s ? s : wm_passes_accesses(r->passes, b, err);
}

/* Gives up to @most accesses to the passes; none: the lane has ended. */
static enum wm_status give(struct wm_access_feed *f, struct lane *l,
			   uint64_t most, struct wm_err *err)
{
	struct inflow *in = l->in;
	const struct wm_access_tokens *d = &in->src.tokens;
	struct wm_access_batch b = {
		.thread = l->thread,
		.first = in->given,
		.time = f->time,
		.access = in->access + in->from,
		.count = in->count < most ? in->count : (size_t)most,
		.spot = d->spot,
		.spots = d->spots,
		.resets = d->resets,
		.gaps = d->gaps,
		.cell = f->cell,
		.base = f->base,
	};

	in->given += b.count;
	in->from += b.count;
	in->count -= b.count;
	return wm_access_feed_give(f->replay, &b, err);
}

static bool keep_seen(struct lane *l)
{
	struct inflow *in = l->in;
	const struct wm_access_tokens *d = &in->src.tokens;

	if (in->seen_from == in->seen_count)
		in->seen_from = in->seen_count = 0;
	if (!WM_ROOM(in->seen, in->seen_cap,
		     in->seen_count + d->seen_count + 1))
		return false;
	for (size_t i = 0; i < d->seen_count; i++)
		if (d->seen[i].events > l->events)
			in->seen[in->seen_count++] = d->seen[i];
	return true;
}

/* Reads tokens of the lane, which may then have no accesses or have ended. */
static enum wm_status refill(struct wm_access_feed *f, struct lane *l,
			     struct wm_err *err)
{
	struct inflow *in = l->in;
	size_t block = in->src.block;
	enum wm_status r;

	in->from = 0;
	r = wm_accesses_next(&in->src, in->access, WM_ACCESS_BATCH, &in->count,
			     err);
	if (r == WM_END) {
		in->ended = true;
		r = give(f, l, 0, err);
		if (in->seen_from == in->seen_count)
			end_lane(f, l);
		return r;
	}
	if (r)
		return r;
	if (!keep_seen(l))
		return wm_no_memory(err, NULL);
	if (in->src.block == block)
		return WM_OK;
	if (f->progress)
		__atomic_fetch_add(f->progress, in->src.src.have,
				   __ATOMIC_RELAXED);
	return count_memory(f, l, err);
}

/* Returns whether all that is left follows more than @events events. */
static bool is_past(const struct inflow *in, uint64_t events)
{
	if (in->count)
		return in->src.tokens.events > events;
	return in->seen_count > in->seen_from &&
	       in->seen[in->seen_count - 1].events > events;
}

/* Gives the passes one batch of @l's accesses that come before access number
 * @to of the stream and before the next event of @l.  Sets *@more to whether
 * there were any. */
static enum wm_status turn(struct wm_access_feed *f, struct lane *l,
			   uint64_t to, bool *more, struct wm_err *err)
{
	enum wm_status r = begin_lane(f, l, err);
	uint64_t next;

	*more = false;
	while (!r && !has_ended(l) && !l->in->count &&
	       !is_past(l->in, l->events))
		r = refill(f, l, err);
	if (r || has_ended(l) || is_past(l->in, l->events))
		return r;
	next = l->in->src.base + l->in->given;
	if (next >= to)
		return r;
	*more = true;
	return give(f, l, to - next, err);
}

static struct stream *find_stream(const struct wm_access_feed *f,
				  uint64_t number)
{
	size_t at = WM_FIRST(i, f->streams, f->stream[i].number >= number);

	return at < f->streams && f->stream[at].number == number ?
		       &f->stream[at] :
		       NULL;
}

/* Gives a batch of the accesses that @s, from lane @of, counts; like turn(). */
static enum wm_status turn_stream(struct wm_access_feed *f,
				  const struct lane *of,
				  const struct wm_access_seen *s, bool *more,
				  struct wm_err *err)
{
	struct stream *x = find_stream(f, s->stream);
	enum wm_status r = WM_OK;

	*more = false;
	while (x && x->first < x->end && !r && !*more) {
		struct lane *l = &f->lane[f->by_stream[x->first]];

		if (l == of || l->base >= s->count)
			break;
		r = turn(f, l, s->count, more, err);
		if (!has_ended(l))
			break;
		x->first++;
	}
	return r;
}

/* Gives, in turns, the accesses that the first @count notes of @of count. */
static enum wm_status give_seen(struct wm_access_feed *f, const struct lane *of,
				size_t count, struct wm_err *err)
{
	const struct wm_access_seen *seen = of->in->seen + of->in->seen_from;
	enum wm_status r = WM_OK;
	bool any = count > 0, more;

	while (any && !r) {
		any = false;
		for (size_t i = 0; i < count && !r; i++) {
			r = turn_stream(f, of, &seen[i], &more, err);
			any |= more;
		}
	}
	return r;
}

enum wm_status wm_access_feed_event(struct wm_access_feed *f, uint32_t index,
				    uint64_t event, uint64_t *until,
				    struct wm_err *err)
{
	enum wm_status r = WM_OK;
	bool more = true;
	struct inflow *in;
	struct lane *l;
	size_t n = 0;

	*until = UINT64_MAX;
	if (f->of[index] == NOBODY)
		return WM_OK;
	l = &f->lane[f->of[index]];
	l->events = event;
	while (more && !r)
		r = turn(f, l, UINT64_MAX, &more, err);
	/* notes before event number @event have `events` == @event + 1 */
	while (!r && !has_ended(l) && !l->in->count &&
	       !is_past(l->in, event + 1))
		r = refill(f, l, err);
	in = l->in;
	if (r || !in)
		return r;
	while (in->seen_from + n < in->seen_count &&
	       in->seen[in->seen_from + n].events <= event + 1)
		n++;
	r = give_seen(f, l, n, err);
	in->seen_from += n;
	if (in->count)
		*until = in->src.tokens.events;
	if (in->seen_from < in->seen_count &&
	    in->seen[in->seen_from].events - 1 < *until)
		*until = in->seen[in->seen_from].events - 1;
	if (in->ended && in->seen_from == in->seen_count)
		end_lane(f, l);
	return r;
}

enum wm_status wm_access_feed_rest(struct wm_access_feed *f, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < f->lanes; i++)
		f->lane[i].events = UINT64_MAX;
	for (size_t from = 0; from < f->lanes && !r; from += TURNS) {
		size_t to = from + TURNS < f->lanes ? from + TURNS : f->lanes;
		bool any = true, more;

		while (any && !r) {
			any = false;
			for (size_t i = from; i < to && !r; i++) {
				r = turn(f, &f->lane[i], UINT64_MAX, &more,
					 err);
				any |= more;
			}
		}
	}
	return r;
}
