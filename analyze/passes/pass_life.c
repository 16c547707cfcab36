/* SPDX-License-Identifier: Apache-2.0 */
/* Lives of blocks by call path, sizes of blocks (life.h). */
#include "analyze/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/base/whole.h"
#include "analyze/passes/life.h"
#include "analyze/passes/rank.h"
#include "analyze/trace/reader.h"

struct path_state {
	struct wm_life life;
	uint64_t now; /* blocks alive */
	uint64_t ticks; /* of released blocks' lives */
	uint64_t first, last; /* ticks */
};

struct size_state {
	uint64_t blocks, bytes; /* alive */
	uint64_t saved_blocks, saved_bytes;
	uint64_t epoch; /* of saved */
};

struct life {
	struct path_state *path;
	size_t count;
	struct wm_sizes *sizes;
	struct size_state size[WM_SIZES];
	uint64_t live, peak, epoch;
	uint64_t limit[WM_LIVES - 1]; /* ticks; lives below it */
};

static enum wm_status life_init(void *state, const struct wm_trace *t,
				struct wm_err *err)
{
	struct life *l = state;
	double ns = 100;
	size_t i;

	for (i = 0; i < WM_LIVES - 1; i++, ns *= 10) {
		double n = ns / wm_trace_tick_ns(t);
		uint64_t whole = wm_whole(n);

		/* the first tick that is not below */
		l->limit[i] = whole + (n < 0x1p53 && (double)whole < n);
	}
	l->count = t->paths.path_count;
	l->path = calloc(l->count, sizeof(*l->path));
	l->sizes = calloc(1, sizeof(*l->sizes));
	return l->path && l->sizes ?
		       WM_OK :
		       wm_err_set(err, WM_NO_MEMORY,
				  "no memory for %zu call paths", l->count);
}

static unsigned size_class(uint64_t bytes)
{
	return bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
}

static void take_size(struct life *l, uint64_t bytes, bool gone)
{
	unsigned k = size_class(bytes);
	struct size_state *s = &l->size[k];

	if (s->epoch != l->epoch) {
		s->epoch = l->epoch;
		s->saved_blocks = s->blocks;
		s->saved_bytes = s->bytes;
	}
	s->blocks += gone ? -1ull : 1;
	s->bytes += gone ? -bytes : bytes;
	l->sizes->blocks[k] += !gone;
	l->sizes->bytes[k] += gone ? 0 : bytes;
}

static void take_block(struct life *l, struct path_state *p, uint64_t bytes,
		       bool gone, uint64_t age)
{
	size_t i;

	take_size(l, bytes, gone);
	if (!gone) {
		p->life.blocks++;
		p->life.bytes += bytes;
		if (++p->now > p->life.most)
			p->life.most = p->now;
		return;
	}
	p->now--;
	p->life.released++;
	p->ticks += age;
	for (i = 0; i < WM_LIVES - 1 && age >= l->limit[i]; i++)
		;
	p->life.lives[i]++;
}

static enum wm_status life_take(void *state, const struct wm_changes *c,
				struct wm_err *err)
{
	struct life *l = state;
	size_t i;

	(void)err;
	for (i = 0; i < c->count; i++) {
		bool gone = (c->who[i] & WM_RELEASE) != 0;
		uint8_t family = c->family[i];
		/* stamps of threads disagree a little */
		uint64_t age = gone && c->time[i] > c->alloc_time[i] ?
				       c->time[i] - c->alloc_time[i] :
				       0;

		if (!wm_family_in_peak[family])
			continue;
		if (family == WM_FAMILY_heap || family == WM_FAMILY_mpi)
			take_block(l, &l->path[c->who[i] & ~WM_RELEASE],
				   c->bytes[i], gone, age);
		l->live += gone ? -c->bytes[i] : c->bytes[i];
		if (!gone && l->live > l->peak) {
			l->peak = l->live;
			l->epoch++;
		}
	}
	return WM_OK;
}

static void life_left(void *state, enum wm_family family, uint32_t path,
		      uint64_t bytes, uint64_t alloc_time)
{
	struct path_state *p = &((struct life *)state)->path[path];

	(void)bytes;
	if (!wm_family_in_peak[family])
		return;
	if (!p->life.left || alloc_time < p->first)
		p->first = alloc_time;
	if (!p->life.left || alloc_time > p->last)
		p->last = alloc_time;
	p->life.left++;
}

static enum wm_status life_finish(void *state, const struct wm_trace *t,
				  struct wm_rank *rank, struct wm_err *err)
{
	struct life *l = state;
	size_t i;

	rank->life = calloc(l->count, sizeof(*rank->life));
	if (!rank->life)
		return wm_no_memory(err, NULL);
	for (i = 0; i < l->count; i++) {
		struct path_state *p = &l->path[i];

		p->life.lived_ns = wm_rounded((double)p->ticks *
					      wm_trace_tick_ns(t));
		if (p->life.left) {
			p->life.first = wm_trace_seconds(t, p->first);
			p->life.last = wm_trace_seconds(t, p->last);
		}
		rank->life[i] = p->life;
	}
	for (i = 0; i < WM_SIZES; i++) {
		const struct size_state *s = &l->size[i];
		bool changed = s->epoch == l->epoch;

		l->sizes->peak_blocks[i] = changed ? s->saved_blocks :
						     s->blocks;
		l->sizes->peak_bytes[i] = changed ? s->saved_bytes : s->bytes;
	}
	rank->sizes = l->sizes;
	l->sizes = NULL;
	return WM_OK;
}

static void life_release(void *state)
{
	struct life *l = state;

	free(l->path);
	free(l->sizes);
}

void wm_life_add(struct wm_life *to, const struct wm_life *from)
{
	size_t i;

	if (from->left && (!to->left || from->first < to->first))
		to->first = from->first;
	if (from->left && (!to->left || from->last > to->last))
		to->last = from->last;
	to->left += from->left;
	to->blocks += from->blocks;
	to->bytes += from->bytes;
	to->released += from->released;
	to->most += from->most;
	to->lived_ns += from->lived_ns;
	for (i = 0; i < WM_LIVES; i++)
		to->lives[i] += from->lives[i];
}

const struct wm_pass_ops wm_pass_life = {
	.name = "life",
	.state_size = sizeof(struct life),
	.alloc_times = true,
	.init = life_init,
	.take = life_take,
	.left = life_left,
	.finish = life_finish,
	.release = life_release,
};
