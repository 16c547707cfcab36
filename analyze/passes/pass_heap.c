/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes by call path, family and space: now, and at the highest moment of
 * the space so far.  All blocks of a call path are in one space, as the path
 * calls one function.  The epoch method: a new peak begins an epoch.  Before a
 * path changes for the first time in an epoch, it saves its value, which is its
 * value at the peak.  So the breakdown at the peak is known after one pass, at
 * the price of one comparison per change. */
#include "analyze/lib/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/passes/annotating.h"
#include "analyze/passes/failed.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

#define rare(x) __builtin_expect(!!(x), 0)
#define GREW 0.1 /* seconds; a shorter growth is one allocation */

struct path_state {
	uint64_t live, saved;
	uint64_t epoch; /* of saved */
	uint32_t blocks, saved_blocks;
};

struct family_state {
	uint64_t live, saved, epoch, peak;
	uint32_t blocks, saved_blocks;
};

/* A histogram of time by live bytes.  A level is 2^shift bytes wide.  The width
 * doubles when the peak outgrows the histogram, so it is at most 1/2048 of a
 * peak of LEVELS bytes or more, and lower peaks are exact. */
#define LEVELS 4096
struct levels {
	uint64_t ticks[LEVELS];
	unsigned shift;
	uint64_t now; /* ticks; never decreases */
};

/* Epochs of space n are n modulo WM_SPACES. */
struct space_state {
	uint64_t live, peak, peak_time, epoch;
	struct levels levels;
};

/* Live bytes when the peak of the host's memory had doubled, for the growth
 * before a process was killed. */
struct growth_mark {
	uint64_t bytes, time; /* ticks */
	uint64_t *live; /* by path */
};

struct heap {
	struct path_state *path;
	struct family_state family[WM_FAMILIES];
	struct space_state space[WM_SPACES];
	size_t count;
	uint64_t changes;
	uint64_t last_time;
	uint32_t last_path;
	const struct wm_trace *trace;
	struct wm_annotating *annotating; /* from the first mark on */
	struct wm_failures failures;
	struct growth_mark growth[2]; /* the newest first */
	/* by path, when MPI_Finalize began; or NULL */
	struct wm_left {
		uint64_t bytes, blocks;
	} * left;
	/* MPI handles of each path, now and when MPI_Finalize began, without
	 * handles that the program frees later, for example in exit handlers
	 * and callbacks of attributes; NULL: none */
	struct wm_made {
		uint32_t live, left, maker;
	} * made;
};

/* More than any machine has; the sum of a batch cannot overflow. */
#define TOO_MUCH (1ull << 62)

static enum wm_status heap_init(void *state, const struct wm_trace *t,
				struct wm_err *err)
{
	struct heap *h = state;

	h->trace = t;
	for (size_t i = 0; i < WM_SPACES; i++) {
		h->space[i].levels.now = t->start.ticks;
		h->space[i].epoch = i;
	}
	h->count = t->paths.path_count;
	if (h->count >= WM_RELEASE)
		return wm_err_set(err, WM_BAD_INPUT, "%s: too many call paths",
				  t->name);
	h->path = calloc(h->count, sizeof(*h->path));
	if (!h->path)
		return wm_err_set(err, WM_NO_MEMORY,
				  "no memory for %zu call paths", h->count);
	return WM_OK;
}

/* ---- levels ---- */

/* Joins pairs of levels until @live bytes have a level. */
static void reach_level(struct levels *l, uint64_t live)
{
	while (live >> l->shift >= LEVELS) {
		for (size_t i = 0; i < LEVELS / 2; i++)
			l->ticks[i] = l->ticks[2 * i] + l->ticks[2 * i + 1];
		memset(l->ticks + LEVELS / 2, 0, sizeof(l->ticks) / 2);
		l->shift++;
	}
}

/* Records that @live bytes were alive up to @ticks. */
static inline void add_level(struct levels *l, uint64_t live, uint64_t ticks)
{
	if (ticks > l->now) {
		l->ticks[live >> l->shift] += ticks - l->now;
		l->now = ticks;
	}
}

/* Returns the ticks for which live bytes were at least @percent per cent of
 * @peak, both rounded down to whole levels. */
static uint64_t ticks_above(const struct levels *l, uint64_t peak,
			    unsigned percent)
{
	/* rounded up, so that 90 % of 11 bytes are 10 bytes */
	uint64_t least = peak / 100 * percent +
			 (peak % 100 * percent + 99) / 100,
		 sum = 0;

	for (size_t i = least >> l->shift; i < LEVELS; i++)
		sum += l->ticks[i];
	return sum;
}

/* ---- changes ---- */

/* Takes changes of a family without a space. */
static void take_apart(struct family_state *f, const struct wm_changes *c,
		       size_t from, size_t to, uint64_t epoch)
{
	for (size_t i = from; i < to; i++) {
		bool goes = (c->who[i] & WM_RELEASE) != 0;

		if (f->epoch != epoch) {
			f->epoch = epoch;
			f->saved = f->live;
		}
		f->live += goes ? -c->bytes[i] : c->bytes[i];
		f->blocks += goes ? -1u : 1u;
		if (f->live > f->peak && !goes)
			f->peak = f->live;
	}
}

static inline bool growth_is_due(const struct heap *h, uint64_t bytes)
{
	return bytes >=
	       (h->growth[0].bytes ? 2 * h->growth[0].bytes : 1ull << 20);
}

static __attribute__((noinline)) void mark_growth(struct heap *h, uint64_t peak,
						  uint64_t time)
{
	uint64_t *live = h->growth[1].live;

	if (!live)
		live = calloc(h->count, sizeof(*live));
	h->growth[1] = h->growth[0];
	h->growth[0] = (struct growth_mark){ peak, time, live };
	for (size_t i = 0; live && i < h->count; i++)
		live[i] = h->path[i].live;
}

/* Takes changes [@from, @to), which are all of family @f in @s.  The other
 * families of the space do not change meanwhile, so the bytes of @f and of the
 * space rise and fall together, and one comparison detects both peaks. */
static void take_family(struct heap *h, struct space_state *s,
			struct family_state *f, const struct wm_changes *c,
			size_t from, size_t to)
{
	uint64_t live = s->live, epoch = s->epoch, others = live - f->live;
	uint64_t peak = s->peak, own = f->peak + others;
	uint64_t limit = own < peak ? own : peak;
	struct path_state *path = h->path;
	uint32_t blocks = f->blocks;
	size_t i;

	if (f->epoch != epoch) {
		f->epoch = epoch;
		f->saved = f->live;
		f->saved_blocks = f->blocks;
	}
	for (i = from; i < to; i++) {
		uint32_t who = c->who[i];
		struct path_state *p = &path[who & ~WM_RELEASE];
		/* 0 or all ones; a branch would be unpredictable */
		uint64_t minus = -(uint64_t)(who >> 31);
		uint64_t delta = (c->bytes[i] ^ minus) - minus;

		if (p->epoch != epoch) {
			p->epoch = epoch;
			p->saved = p->live;
			p->saved_blocks = p->blocks;
		}
		add_level(&s->levels, live, c->time[i]);
		p->live += delta;
		p->blocks += 1 | (uint32_t)minus;
		blocks += 1 | (uint32_t)minus;
		live += delta;
		if (!rare(live > limit))
			continue;
		own = live > own ? live : own;
		if (live > peak) {
			peak = live;
			reach_level(&s->levels, live);
			s->peak_time = c->time[i];
			if (rare(growth_is_due(h, live)) &&
			    s == &h->space[WM_HOST])
				mark_growth(h, live, c->time[i]);
			f->saved = live - others;
			f->saved_blocks = blocks;
			f->epoch = epoch += WM_SPACES;
		}
		limit = own < peak ? own : peak;
	}
	f->live = live - others;
	f->peak = own - others;
	f->blocks = blocks;
	s->live = live;
	s->peak = peak;
	s->epoch = epoch;
}

static size_t same_family(const struct wm_changes *c, size_t from, size_t to)
{
	const uint8_t *f = c->family;
	size_t i = from + 1;

	if (memcmp(f + from, f + i, to - i) == 0)
		return to;
	while (i < to && f[i] == f[from])
		i++;
	return i;
}

static void take_run(struct heap *h, const struct wm_changes *c, size_t from,
		     size_t to)
{
	const struct space_state *host = &h->space[WM_HOST];
	uint64_t peak = host->peak;
	size_t i, end;

	for (i = from; i < to; i = end) {
		uint8_t family = c->family[i], space = wm_family_space[family];
		struct family_state *f = &h->family[family];

		end = same_family(c, i, to);
		if (space != WM_NO_SPACE)
			take_family(h, &h->space[space], f, c, i, end);
		else
			take_apart(f, c, i, end, host->epoch);
	}
	if (rare(h->annotating != NULL)) {
		if (peak != host->peak)
			wm_annotating_peak(h->annotating);
		wm_annotating_run(h->annotating, c, from, to);
	}
	h->changes += to - from;
}

static enum wm_status take_snapshot(struct heap *h, const struct wm_mark *m,
				    struct wm_err *err)
{
	bool kept;
	enum wm_status s = wm_annotating_snapshot(h->annotating, m,
						  h->space[WM_HOST].live, &kept,
						  err);

	for (size_t i = 0; kept && i < h->count && !s; i++)
		if (h->path[i].blocks)
			s = wm_annotating_path(h->annotating, (uint32_t)i,
					       h->path[i].live,
					       h->path[i].blocks, err);
	return s;
}

static enum wm_status take_failed(struct heap *h, const struct wm_mark *m,
				  struct wm_err *err)
{
	struct wm_failed *f;
	struct wm_failed_alive live = {
		h->space[WM_HOST].live,
		h->family[WM_FAMILY_shm].live,
		h->family[WM_FAMILY_mapped].live,
	};
	enum wm_status s = wm_failures_add(&h->failures, m, live, h->count, &f,
					   err);

	for (size_t i = 0; f && i < h->count; i++)
		wm_failed_hold(f, (uint32_t)i, h->path[i].live,
			       h->path[i].blocks);
	return s;
}

/* One spelling of MPI_Finalize may call another, so only the first counts. */
static enum wm_status take_finalize(struct heap *h, struct wm_err *err)
{
	if (h->left)
		return WM_OK;
	h->left = calloc(h->count, sizeof(*h->left));
	if (!h->left)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < h->count; i++)
		h->left[i] = (struct wm_left){ h->path[i].live,
					       h->path[i].blocks };
	for (size_t i = 0; h->made && i < h->count; i++)
		h->made[i].left = h->made[i].live;
	return WM_OK;
}

static enum wm_status take_handle(struct heap *h, const struct wm_mark *m,
				  struct wm_err *err)
{
	struct wm_made *made;

	if (!h->made)
		h->made = calloc(h->count, sizeof(*h->made));
	if (!h->made)
		return wm_no_memory(err, NULL);
	made = &h->made[m->path];
	if (m->kind == WM_MARK_HANDLE_FREED) {
		made->live--;
		if (made->left > made->live)
			made->left = made->live;
	} else {
		made->live++;
		made->maker = (uint32_t)m->bytes;
	}
	return WM_OK;
}

static enum wm_status take_mark(struct heap *h, const struct wm_mark *m,
				struct wm_err *err)
{
	const struct space_state *host = &h->space[WM_HOST];
	struct wm_annotating_now now = {
		.live = host->live,
		.peak = host->peak,
		.peak_time = host->peak_time,
		.epoch = host->epoch,
		.changes = h->changes,
	};
	bool old_peak;

	if (m->kind == WM_MARK_FAILED)
		return take_failed(h, m, err);
	if (m->kind == WM_MARK_FINALIZE)
		return take_finalize(h, err);
	if (m->kind == WM_MARK_INITIALIZED || m->kind == WM_MARK_PRIVATE)
		return WM_OK;
	if (m->kind == WM_MARK_HANDLE_MADE || m->kind == WM_MARK_HANDLE_FREED)
		return take_handle(h, m, err);
	if (!h->annotating)
		h->annotating = wm_annotating_new(h->trace);
	if (!h->annotating)
		return wm_no_memory(err, NULL);
	if (m->kind == WM_MARK_SNAPSHOT)
		return take_snapshot(h, m, err);
	for (size_t i = 0; i < WM_FAMILIES; i++)
		now.blocks += h->family[i].blocks;
	old_peak = host->epoch && h->path[m->path].epoch != host->epoch;
	return wm_annotating_mark(h->annotating, m, &now, old_peak, err);
}

static void keep_last(struct heap *h, const struct wm_changes *c)
{
	size_t i = c->count;

	while (i-- > 0)
		if (!(c->who[i] & WM_RELEASE)) {
			h->last_path = c->who[i];
			h->last_time = c->time[i];
			return;
		}
}

static enum wm_status heap_take(void *state, const struct wm_changes *c,
				struct wm_err *err)
{
	struct heap *h = state;
	enum wm_status s = WM_OK;
	size_t m, from = 0;

	for (m = 0; m < c->marks && !s; m++) {
		take_run(h, c, from, c->mark[m].at);
		from = c->mark[m].at;
		s = take_mark(h, &c->mark[m], err);
	}
	if (s)
		return s;
	take_run(h, c, from, c->count);
	keep_last(h, c);
	for (size_t i = 0; i < WM_SPACES; i++)
		if (h->space[i].live > TOO_MUCH)
			return wm_err_set(err, WM_BAD_INPUT,
					  "more than 4 EiB are alive");
	return WM_OK;
}

static struct wm_space_use space_use(struct space_state *s,
				     const struct wm_trace *t)
{
	struct wm_space_use u = { .peak_bytes = s->peak, .end_bytes = s->live };
	double tick = wm_trace_tick_ns(t) * 1e-9;

	if (!s->peak)
		return u;
	add_level(&s->levels, s->live, t->end_ticks);
	u.peak_99_seconds = (double)ticks_above(&s->levels, s->peak, 99) * tick;
	u.peak_90_seconds = (double)ticks_above(&s->levels, s->peak, 90) * tick;
	u.peak_seconds = wm_trace_seconds(t, s->peak_time);
	return u;
}

static void find_growth(const struct heap *h, const struct wm_trace *t,
			struct wm_rank *rank, uint32_t *path)
{
	const struct space_state *host = &h->space[WM_HOST];
	const struct growth_mark *m = &h->growth[0];
	uint64_t most = 0;
	double seconds;

	*path = h->last_path;
	/* from a mark close to the end there is little growth */
	if (m->bytes > host->peak / 4 * 3)
		m = &h->growth[1];
	/* the peak was long before the end, or has not doubled */
	if (host->live < host->peak / 20 * 19 || !m->live ||
	    m->bytes < host->peak / 8)
		return;
	seconds = wm_trace_seconds(t, host->peak_time) -
		  wm_trace_seconds(t, m->time);
	if (seconds < GREW)
		return;
	rank->growth = (double)(host->peak - m->bytes) / seconds;
	for (size_t i = 0; i < h->count; i++) {
		uint64_t live = h->path[i].live;

		if (live > m->live[i] && live - m->live[i] > most) {
			most = live - m->live[i];
			*path = (uint32_t)i;
		}
	}
}

/* Keeps facts about the end of a process that was killed or aborted its job. */
static enum wm_status put_last(const struct heap *h, const struct wm_trace *t,
			       struct wm_rank *rank, struct wm_err *err)
{
	bool aborted = t->end_reason && !strcmp(t->end_reason, "MPI_Abort");
	enum wm_status s;
	uint32_t grew;

	if (!h->changes || (t->ended && !t->damage.text[0] && !aborted))
		return WM_OK;
	rank->last_seconds = wm_trace_seconds(t, h->last_time);
	find_growth(h, t, rank, &grew);
	s = wm_paths_init(&rank->last_path, err);
	if (!s)
		s = wm_paths_copy(&rank->last_path, &t->paths, h->last_path,
				  &rank->last_number, err);
	return s ? s :
		   wm_paths_copy(&rank->last_path, &t->paths, grew,
				 &rank->growth_number, err);
}

/* Returns whether @epoch, of a path or a family, is that of the last peak. */
static bool is_saved(const struct heap *h, uint64_t epoch)
{
	return epoch == h->space[epoch % WM_SPACES].epoch;
}

static enum wm_status heap_finish(void *state, const struct wm_trace *t,
				  struct wm_rank *rank, struct wm_err *err)
{
	struct heap *h = state;

	rank->use = calloc(h->count, sizeof(*rank->use));
	if (!rank->use)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < h->count; i++) {
		const struct path_state *p = &h->path[i];
		bool changed = is_saved(h, p->epoch);
		struct wm_use *u = &rank->use[i];

		u->peak_bytes = changed ? p->saved : p->live;
		u->peak_blocks = changed ? p->saved_blocks : p->blocks;
		u->end_bytes = p->live;
		u->end_blocks = p->blocks;
		u->left_bytes = h->left ? h->left[i].bytes : p->live;
		u->left_blocks = h->left ? h->left[i].blocks : p->blocks;
		if (h->made && h->made[i].maker) {
			u->maker = h->made[i].maker;
			u->left_blocks += h->left ? h->made[i].left :
						    h->made[i].live;
		}
		u->most_blocks = u->left_blocks;
	}
	for (size_t i = 0; i < WM_SPACES; i++)
		rank->in[i] = space_use(&h->space[i], t);
	for (size_t i = 0; i < WM_FAMILIES; i++) {
		const struct family_state *f = &h->family[i];
		uint8_t space = wm_family_space[i];
		bool changed = is_saved(h, f->epoch);

		rank->family[i] = (struct wm_family_use){
			.peak_bytes = f->peak,
			.at_peak_bytes = changed ? f->saved : f->live,
			.end_bytes = f->live,
			.end_blocks = f->blocks,
		};
		if (space == WM_NO_SPACE)
			continue;
		rank->in[space].peak_blocks += changed ? f->saved_blocks :
							 f->blocks;
		rank->in[space].end_blocks += f->blocks;
	}
	if (put_last(h, t, rank, err) ||
	    wm_failures_finish(&h->failures, t, &rank->failures, err))
		return WM_NO_MEMORY;
	if (h->annotating)
		return wm_annotating_finish(h->annotating,
					    h->space[WM_HOST].epoch, rank, err);
	return WM_OK;
}

static void heap_release(void *state)
{
	struct heap *h = state;

	free(h->path);
	free(h->left);
	free(h->made);
	wm_failures_release(&h->failures);
	free(h->growth[0].live);
	free(h->growth[1].live);
	wm_annotating_free(h->annotating);
}

const struct wm_pass_ops wm_pass_heap = {
	.name = "heap",
	.state_size = sizeof(struct heap),
	.init = heap_init,
	.take = heap_take,
	.finish = heap_finish,
	.release = heap_release,
};
