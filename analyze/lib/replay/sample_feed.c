/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/access_feed.h"

#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/access_tokens.h"
#include "analyze/lib/trace/read_epochs.h"
#include "wm/access_format.h"
#include "wm/search.h"

struct sample {
	uint64_t ticks;
	uint32_t thread;
	struct wm_access access;
};

struct wm_sample_feed {
	const struct wm_trace *t;
	struct wm_replay *replay;
	struct wm_epochs in;
	bool ended;
	struct sample *sample; /* of one epoch, by time */
	size_t count, cap, at;
	struct wm_page_walk walk;
	struct wm_spot *spot; /* of the block, from 1 on */
	size_t spot_cap;
	uint64_t *given; /* samples given, by thread number */
	size_t threads;
	struct wm_access access[WM_ACCESS_BATCH];
	uint32_t cell[WM_ACCESS_BATCH];
	uint64_t base[WM_ACCESS_BATCH];
};

/* Threads with higher numbers count from 0 in each batch. */
#define THREADS_MOST ((size_t)1 << 20)

enum wm_status wm_sample_feed_open(struct wm_sample_feed **out,
				   const struct wm_trace *t,
				   struct wm_replay *r, struct wm_err *err)
{
	struct wm_sample_feed *f;

	*out = NULL;
	if (!r->passes->accesses || !t->samples)
		return WM_OK;
	f = calloc(1, sizeof(*f));
	if (!f)
		return wm_no_memory(err, NULL);
	f->t = t;
	f->replay = r;
	wm_epochs_open(&f->in, t);
	*out = f;
	return WM_OK;
}

void wm_sample_feed_close(struct wm_sample_feed *f)
{
	if (!f)
		return;
	wm_epochs_release(&f->in);
	wm_page_walk_end(&f->walk);
	free(f->sample);
	free(f->spot);
	free(f->given);
	free(f);
}

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->ticks, y->ticks),
		       WM_ORDER(x->access.addr, y->access.addr));
}

static bool take_spots(struct wm_sample_feed *f)
{
	const struct wm_page_touches *t = &f->in.touches;

	if (!WM_ROOM(f->spot, f->spot_cap, t->spots + 1))
		return false;
	for (size_t i = 0; i < t->spots; i++)
		f->spot[i + 1] = (struct wm_spot){
			t->spot[i].pc,
			t->spot[i].what & WMA_KIND,
			t->spot[i].what >> WMA_HOW_SHIFT,
		};
	return true;
}

static enum wm_status take_samples(struct wm_sample_feed *f, struct wm_err *err)
{
	struct wm_page_walk *w = &f->walk;
	enum wm_status s;

	wm_page_walk_begin(w, &f->in.touches, &f->in.accessed);
	while (!(s = wm_page_walk_next(w, err))) {
		/* a frame is not an access */
		if ((w->what & WMA_KIND) == WMA_FRAME)
			continue;
		if (!WM_APPEND(f->sample, f->cap, f->count,
			       (struct sample){ f->t->start.ticks + w->ticks,
						w->first->thread,
						{ w->addr, w->bytes,
						  (uint32_t)w->spot } }))
			return wm_no_memory(err, NULL);
	}
	if (s != WM_END)
		return s;
	WM_SORT(f->sample, f->count, by_time);
	return WM_OK;
}

/* Reads until there are samples, or no more. */
static enum wm_status refill(struct wm_sample_feed *f, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	while (f->at == f->count && !f->ended && !s) {
		f->at = f->count = 0;
		s = wm_epochs_next(&f->in, err);
		f->ended = s != WM_OK;
		if (s)
			return s == WM_END ? WM_OK : s;
		if (!take_spots(f))
			return wm_no_memory(err, NULL);
		s = take_samples(f, err);
	}
	return s;
}

static uint64_t *given_to(struct wm_sample_feed *f, uint32_t thread)
{
	if (thread >= THREADS_MOST ||
	    !WM_ZEROED(f->given, f->threads, (size_t)thread + 1))
		return NULL;
	return &f->given[thread];
}

/* Gives a batch of one thread's next samples before @time. */
static enum wm_status give(struct wm_sample_feed *f, uint64_t time,
			   struct wm_err *err)
{
	const struct sample *first = &f->sample[f->at];
	uint64_t *given = given_to(f, first->thread);
	struct wm_access_batch b = {
		.thread = first->thread,
		.first = given ? *given : 0,
		.access = f->access,
		.spot = f->spot,
		.spots = (uint32_t)f->in.touches.spots,
		.resets = f->in.block,
		.cell = f->cell,
		.base = f->base,
	};

	while (f->at < f->count && b.count < WM_ACCESS_BATCH &&
	       f->sample[f->at].thread == first->thread &&
	       f->sample[f->at].ticks < time)
		f->access[b.count++] = f->sample[f->at++].access;
	if (given)
		*given += b.count;
	/* the time of the last sample stands for all */
	b.time = f->sample[f->at - 1].ticks;
	return wm_access_feed_give(f->replay, &b, err);
}

enum wm_status wm_sample_feed_event(struct wm_sample_feed *f, uint64_t time,
				    uint64_t *until, struct wm_err *err)
{
	enum wm_status r = refill(f, err);

	while (!r && f->at < f->count && f->sample[f->at].ticks < time) {
		r = give(f, time, err);
		if (!r)
			r = refill(f, err);
	}
	*until = f->at < f->count ? f->sample[f->at].ticks : UINT64_MAX;
	return r;
}

enum wm_status wm_sample_feed_rest(struct wm_sample_feed *f, struct wm_err *err)
{
	uint64_t unused;

	return wm_sample_feed_event(f, UINT64_MAX, &unused, err);
}
