/* SPDX-License-Identifier: Apache-2.0 */
/* Lifetimes of blocks by call path (lifetime.h). */
#include "analyze/lib/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/lib/base/whole.h"
#include "analyze/passes/lifetime.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

#define GRAINS 64
#define DOUBLINGS 3 /* in a row; fewer may be chance */

struct path_state {
	struct wm_lifetime lifetime;
	uint64_t now; /* blocks alive */
	uint64_t ticks; /* sum of the lifetimes of released blocks */
	uint64_t first, last; /* ticks */
	struct wm_trend_marks marks;
	/* blocks released after MPI_Finalize began; stretches of their
	 * allocation */
	uint64_t finalized;
	uint16_t finalized_from;
	/* blocks that realloc made larger than every block before: the largest,
	 * the grains of time with such blocks, and the largest block left */
	uint64_t high, high_grains, high_left;
	uint64_t grains; /* with allocations */
	uint64_t largest; /* bytes of the largest block */
	uint64_t doublings; /* blocks in a row, each twice the one before */
};

struct lifetime {
	struct path_state *path;
	size_t count;
	/* ticks of the first and last change, or of MPI's start and end */
	uint64_t begin, end;
	bool begun, finalized;
	unsigned grain; /* a bit of .grains is 1 << .grain ticks */
	uint64_t limit[WM_LIFETIMES - 1]; /* ticks; ends of the classes */
};

static enum wm_status lifetime_init(void *state, const struct wm_trace *t,
				    struct wm_err *err)
{
	struct lifetime *l = state;
	double ns = 100;

	for (size_t i = 0; i < WM_LIFETIMES - 1; i++, ns *= 10) {
		double n = ns / wm_trace_tick_ns(t);
		uint64_t whole = wm_whole(n);

		/* the first tick that reaches the limit */
		l->limit[i] = whole + (n < 0x1p53 && (double)whole < n);
	}
	l->count = t->paths.path_count;
	l->path = calloc(l->count, sizeof(*l->path));
	return l->path ? WM_OK :
			 wm_err_set(err, WM_NO_MEMORY,
				    "no memory for %zu call paths", l->count);
}

static uint64_t join_pairs(uint64_t x)
{
	x = (x | x >> 1) & 0x5555555555555555;
	x = (x | x >> 1) & 0x3333333333333333;
	x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
	x = (x | x >> 4) & 0x00ff00ff00ff00ff;
	x = (x | x >> 8) & 0x0000ffff0000ffff;
	return (x | x >> 16) & 0x00000000ffffffff;
}

static __attribute__((noinline)) void make_coarser(struct lifetime *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct path_state *p = &l->path[i];

		p->grains = join_pairs(p->grains);
		p->high_grains = join_pairs(p->high_grains);
	}
	l->grain++;
}

/* Returns the bit of the grain that contains @time.  The end is not known yet,
 * so grains double when there are more than GRAINS. */
static uint64_t bit_of(struct lifetime *l, uint64_t time)
{
	uint64_t way = time > l->begin ? time - l->begin : 0;

	while (way >> l->grain >= GRAINS)
		make_coarser(l);
	return 1ull << (way >> l->grain);
}

static void take_largest(struct path_state *p, uint64_t bytes)
{
	bool doubled = bytes / 7 >= p->largest / 5 &&
		       bytes / 9 <= p->largest / 4;

	p->doublings = doubled ? p->doublings + 1 : 0;
	p->largest = bytes;
}

/* Returns the stretch, 0 to WM_STRETCHES - 1, that contains @ticks. */
static unsigned stretch_of(const struct lifetime *l, uint64_t ticks)
{
	double way = ticks > l->begin ? (double)(ticks - l->begin) : 0;
	double whole = l->end > l->begin ? (double)(l->end - l->begin) : 1;
	double share = way / whole * WM_STRETCHES;

	return share < WM_STRETCHES ? (unsigned)share : WM_STRETCHES - 1;
}

static uint16_t bit_of_stretch(const struct lifetime *l, uint64_t ticks)
{
	return (uint16_t)(1u << stretch_of(l, ticks));
}

static void take_block(struct lifetime *l, struct path_state *p, uint64_t bytes,
		       bool gone, uint64_t age, uint64_t time)
{
	size_t i;

	if (gone && l->finalized) {
		p->finalized_from |= bit_of_stretch(l, time - age);
		p->finalized++;
	}
	if (!gone) {
		p->grains |= bit_of(l, time);
		p->lifetime.blocks++;
		p->lifetime.bytes += bytes;
		if (bytes > p->largest)
			take_largest(p, bytes);
		if (++p->now > p->lifetime.most)
			p->lifetime.most = p->now;
		return;
	}
	p->now--;
	p->lifetime.released++;
	p->ticks += age;
	for (i = 0; i < WM_LIFETIMES - 1 && age >= l->limit[i]; i++)
		;
	p->lifetime.lifetimes[i]++;
}

static void take_run(struct lifetime *l, const struct wm_changes *c,
		     size_t from, size_t to, size_t *move)
{
	size_t i;

	for (i = from; i < to; i++) {
		bool gone = (c->who[i] & WM_RELEASE) != 0;
		uint8_t family = c->family[i];
		/* stamps of different threads may disagree a little */
		uint64_t age = gone && c->time[i] > c->alloc_time[i] ?
				       c->time[i] - c->alloc_time[i] :
				       0;

		if (wm_family_blocks[family])
			take_block(l, &l->path[c->who[i] & ~WM_RELEASE],
				   c->bytes[i], gone, age, c->time[i]);
	}
	for (; *move < c->moves && c->move[*move] < to; ++*move) {
		struct path_state *p;

		i = c->move[*move];
		p = &l->path[c->who[i]];
		if (c->bytes[i] <= p->high)
			continue;
		p->high = c->bytes[i];
		p->high_grains |= bit_of(l, c->time[i]);
	}
}

/* Restarts at @time.  Earlier allocations count in the first grain. */
static void begin_anew(struct lifetime *l, uint64_t time)
{
	l->begun = true;
	l->begin = time;
	l->grain = 0;
	for (size_t i = 0; i < l->count; i++) {
		l->path[i].grains = l->path[i].grains != 0;
		l->path[i].high_grains = l->path[i].high_grains != 0;
	}
}

/* Time before MPI_Init returned and after MPI_Finalize began does not count. */
static void take_mark(struct lifetime *l, const struct wm_mark *m)
{
	if (m->kind == WM_MARK_INITIALIZED)
		begin_anew(l, m->time);
	if (m->kind != WM_MARK_FINALIZE || l->finalized)
		return;
	l->finalized = true;
	l->end = m->time;
}

static enum wm_status lifetime_take(void *state, const struct wm_changes *c,
				    struct wm_err *err)
{
	struct lifetime *l = state;
	size_t from = 0, move = 0, m;

	(void)err;
	if (c->count && !l->begun) {
		l->begun = true;
		l->begin = c->time[0];
	}
	for (m = 0; m < c->marks; m++) {
		take_run(l, c, from, c->mark[m].at, &move);
		from = c->mark[m].at;
		take_mark(l, &c->mark[m]);
	}
	take_run(l, c, from, c->count, &move);
	/* stamps of threads may disagree, so only the last change counts */
	if (!l->finalized && c->count && c->time[c->count - 1] > l->end)
		l->end = c->time[c->count - 1];
	return WM_OK;
}

static void lifetime_left(void *state, enum wm_family family, uint32_t path,
			  uint64_t bytes, uint64_t alloc_time)
{
	struct lifetime *l = state;
	struct path_state *p = &l->path[path];

	if (!wm_family_in_peak[family])
		return;
	wm_raise(&p->high_left, bytes);
	if (!p->lifetime.left || alloc_time < p->first)
		p->first = alloc_time;
	if (!p->lifetime.left || alloc_time > p->last)
		p->last = alloc_time;
	p->marks.left |= bit_of_stretch(l, alloc_time);
	p->lifetime.left++;
}

static uint16_t stretches_of(const struct lifetime *l, uint64_t grains)
{
	uint64_t begin = l->begin + (1ull << l->grain) / 2, k;
	uint16_t stretches = 0;

	for (k = 0; k < GRAINS; k++)
		if (grains >> k & 1)
			stretches |= bit_of_stretch(l, begin + (k << l->grain));
	return stretches;
}

/* Returns whether all blocks of the path are late: they lasted until the end,
 * but too briefly to show whether the path would have continued. */
static bool is_late(const struct lifetime *l, const struct path_state *p)
{
	uint64_t way = p->last - p->first;

	return p->lifetime.left >= WM_TREND_LATE && way >> l->grain &&
	       (p->last > l->end || l->end - p->last <= way) &&
	       wm_trend_is_late(p->marks.left);
}

static void set_marks(const struct lifetime *l, struct path_state *p,
		      bool brief)
{
	uint64_t left = p->lifetime.left, blocks = left ? left : p->finalized;
	struct wm_trend_marks *m = &p->marks;

	if (!left)
		m->left = p->finalized_from;
	m->moved = stretches_of(l, p->high_grains);
	m->largest = wm_trend_size(p->high);
	m->largest_left = wm_trend_size(p->high_left);
	m->blocks = (uint8_t)(blocks < WM_TREND_LATE ? blocks : WM_TREND_LATE);
	m->brief = brief;
	m->late = left && is_late(l, p);
}

static enum wm_status lifetime_finish(void *state, const struct wm_trace *t,
				      struct wm_rank *rank, struct wm_err *err)
{
	struct lifetime *l = state;
	bool brief = l->end <= l->begin ||
		     (double)(l->end - l->begin) * wm_trace_tick_ns(t) <
			     WM_TREND_MS * 1e6;

	rank->lifetime = calloc(l->count, sizeof(*rank->lifetime));
	if (!rank->lifetime)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < l->count; i++) {
		struct path_state *p = &l->path[i];

		p->lifetime.lived_ns = wm_rounded((double)p->ticks *
						  wm_trace_tick_ns(t));
		p->lifetime.active = brief ? 0 : stretches_of(l, p->grains);
		if (p->lifetime.left) {
			p->lifetime.first = wm_trace_seconds(t, p->first);
			p->lifetime.last = wm_trace_seconds(t, p->last);
		}
		set_marks(l, p, brief);
		p->lifetime.marks = p->marks;
		p->lifetime.trend = wm_trend_judge(&p->marks);
		/* a set of levels, each twice the one before, stays alive */
		p->lifetime.doubles = p->doublings >= DOUBLINGS &&
				      p->lifetime.blocks > p->lifetime.most;
		rank->lifetime[i] = p->lifetime;
	}
	return WM_OK;
}

static void lifetime_release(void *state)
{
	struct lifetime *l = state;

	free(l->path);
}

void wm_lifetime_add(struct wm_lifetime *to, const struct wm_lifetime *from)
{
	if (from->left && (!to->left || from->first < to->first))
		to->first = from->first;
	if (from->left && (!to->left || from->last > to->last))
		to->last = from->last;
	to->left += from->left;
	if (from->trend > to->trend)
		to->trend = from->trend;
	wm_trend_join(&to->marks, &from->marks);
	to->doubles |= from->doubles;
	to->active |= from->active;
	to->blocks += from->blocks;
	to->bytes += from->bytes;
	to->released += from->released;
	to->most += from->most;
	to->lived_ns += from->lived_ns;
	for (size_t i = 0; i < WM_LIFETIMES; i++)
		to->lifetimes[i] += from->lifetimes[i];
}

const struct wm_pass_ops wm_pass_lifetime = {
	.name = "life",
	.state_size = sizeof(struct lifetime),
	.alloc_times = true,
	.init = lifetime_init,
	.take = lifetime_take,
	.left = lifetime_left,
	.finish = lifetime_finish,
	.release = lifetime_release,
};
