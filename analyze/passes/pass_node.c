/* SPDX-License-Identifier: Apache-2.0 */
/* The changes of a rank on the clock of its node (node.h).  The code that reads
 * ranks side by side takes the changes out of the feed after each batch. */
#include "analyze/lib/replay/pass.h"

#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/passes/node.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/merge.h"
#include "analyze/lib/trace/reader.h"

/* An upper bound of times, so that a sum of two times cannot overflow. */
#define LATEST (1ull << 62)

static enum wm_status node_init(void *state, const struct wm_trace *t,
				struct wm_err *err)
{
	struct wm_node_feed *f = state;
	double most, unit;

	(void)err;
	f->start_ticks = t->start.ticks;
	f->tick_ns = wm_trace_tick_ns(t);
	f->start = t->boot_id && t->boot_id[0] ? t->start.mono_ns :
						 t->start.real_ns;
	wm_lower(&f->start, LATEST);
	f->last = f->start;
	unit = f->tick_ns * (double)(1ull << t->max_shift);
	f->skew = unit < (double)LATEST ? WM_SKEW_NS + (uint64_t)unit + 1 :
					  LATEST;
	most = (double)LATEST / f->tick_ns;
	f->most_ticks = most < (double)LATEST ? (uint64_t)most : LATEST;
	return WM_OK;
}

void wm_node_feed_real(struct wm_node_feed *f, const struct wm_trace *t)
{
	f->start = t->start.real_ns < LATEST ? t->start.real_ns : LATEST;
	f->last = f->start;
}

static inline uint64_t clock_of(const struct wm_node_feed *f, uint64_t ticks)
{
	uint64_t d = ticks > f->start_ticks ? ticks - f->start_ticks : 0;

	wm_lower(&d, f->most_ticks);
	return f->start + (uint64_t)((double)d * f->tick_ns);
}

/* Returns the time of the next change, which is never before the last one. */
static inline uint64_t next_key(struct wm_node_feed *f, uint64_t ticks)
{
	uint64_t ns = clock_of(f, ticks);

	if (__builtin_expect(ns < f->last, 0)) {
		if (f->last - ns > f->skew) {
			f->jumps++;
			wm_raise(&f->farthest, f->last - ns);
		}
		return f->last;
	}
	return f->last = ns;
}

static enum wm_status make_room(struct wm_node_feed *f, size_t n,
				struct wm_err *err)
{
	size_t cap = f->cap;

	if (!WM_ROOM(f->key, f->cap, f->count + n + 1) ||
	    !WM_ROOM(f->delta, cap, f->count + n + 1))
		return wm_no_memory(err, NULL);
	return WM_OK;
}

/* Joins a gain with the change before it at the same time, so that no sum
 * between them counts.  So a realloc is one change, and a change of 0 bytes is
 * dropped. */
static enum wm_status node_take(void *state, const struct wm_changes *c,
				struct wm_err *err)
{
	struct wm_node_feed *f = state;
	enum wm_status s = make_room(f, c->count, err);
	uint64_t live = f->live, time = 0, before = f->last;
	size_t i, first = f->count, n = first;

	if (s)
		return s;
	for (i = 0; i < c->count; i++) {
		/* 0 or all ones */
		uint64_t minus = -(uint64_t)(c->who[i] >> 31);
		uint64_t delta = (c->bytes[i] ^ minus) - minus;

		if (!wm_family_in_peak[c->family[i]] || !delta)
			continue;
		live += delta;
		if (n > first && c->time[i] == time && !minus) {
			f->delta[n - 1] += delta;
			if (f->delta[n - 1])
				continue;
			n--;
			f->last = before;
			time = 0;
			continue;
		}
		time = c->time[i];
		before = f->last;
		f->key[n] = next_key(f, time);
		f->delta[n++] = delta;
	}
	f->live = live;
	f->count = n;
	return WM_OK;
}

enum wm_status wm_node_feed_end(struct wm_node_feed *f,
				const struct wm_trace *t, struct wm_err *err)
{
	enum wm_status s;
	uint64_t ns;

	if (!t->ended || !f->live)
		return WM_OK;
	s = make_room(f, 1, err);
	if (s)
		return s;
	ns = clock_of(f, t->end_ticks);
	f->key[f->count] = ns > f->last ? ns : f->last;
	f->delta[f->count++] = -f->live;
	f->live = 0;
	return WM_OK;
}

static enum wm_status node_finish(void *state, const struct wm_trace *t,
				  struct wm_rank *rank, struct wm_err *err)
{
	const struct wm_node_feed *f = state;

	(void)t;
	(void)err;
	rank->clock_jumps = f->jumps;
	rank->clock_back_ns = f->farthest;
	return WM_OK;
}

static void node_release(void *state)
{
	struct wm_node_feed *f = state;

	free(f->key);
	free(f->delta);
}

const struct wm_pass_ops wm_pass_node = {
	.name = "node",
	.state_size = sizeof(struct wm_node_feed),
	.init = node_init,
	.take = node_take,
	.finish = node_finish,
	.release = node_release,
};
