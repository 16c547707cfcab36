/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large memory over time.  It shows whether ranks have large memory one after
 * another or all at once (answers/need/job_need.h).
 *
 * malloc may keep freed memory, but no block of 32 MiB or more: glibc maps each
 * such block (DEFAULT_MMAP_THRESHOLD_MAX in its malloc.c), and unmaps the block
 * when it is freed.  Shared memory counts separately (need.h).
 *
 * The pass also computes upper bounds of resident private memory.  There are
 * two bounds between two measurements of the runtime: first, the kernel's
 * highest minus the memory that was shared all the time; second, the private
 * memory at the later measurement plus the memory released before it.  Memory
 * freed before the earlier measurement counts as released, too, because malloc
 * may have kept that memory and given it back only later.  A call that is not
 * in the trace may have given back more memory, but at most the private memory
 * of the earlier measurement plus the memory touched since then.
 */
#include "analyze/lib/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

#define LARGE ((uint64_t)32 << 20)
/* less shared memory does not matter */
#define SHARED ((uint64_t)1 << 20)
/* for copies of pages, and for faults of several ranks for the same page */
#define SLACK(shared) (((uint64_t)2 << 20) + (shared) / 32)
#define AROUND 16 /* pages; the default of fault_around_bytes in Linux */
#define STEPS 1024 /* even */
#define LIVE_STEPS (STEPS / 8) /* upper bound of steps kept in .live */
#define SAME 16 /* joins steps that differ by less than 1/16 of all */
#define CHUNK 32 /* upper bound of malloc's bytes beside a block */
#define RUN 64 /* changes taken together */

struct steps {
	struct wm_course_step step[STEPS]; /* .ns is in ticks */
	size_t count;
	uint64_t bytes; /* now */
	uint64_t stride, changes; /* per step; in the last step */
};

struct course {
	struct steps large, live;
	uint64_t rest, rest_most;
	uint64_t blocks, blocks_most; /* in .rest */
	/* since the last mark PRIVATE: bytes released; the highest .large;
	 * memory of .rest that malloc may have had at that mark beside live
	 * blocks */
	uint64_t large_released, rest_released, stacks_released, large_most,
		kept;
	uint64_t private_most; /* upper bound up to that mark */
	/* the same bound from touched memory */
	uint64_t touched_most;
	uint64_t private_then; /* at that mark */
	/* shared memory that the rank made: now, the highest since the mark,
	 * and at the mark */
	uint64_t shared, shared_most, shared_then;
	uint64_t look; /* ticks of the last measurement of resident memory */
	uint64_t look_live, since_look; /* as in struct wm_courses */
	bool alone; /* one thread */
	bool goes; /* the runtime measured because of its next release */
};

static void begin_interval(struct course *c)
{
	c->large_released = c->rest_released = c->stacks_released = 0;
	c->large_most = c->large.bytes;
	c->shared_most = c->shared_then = c->shared;
	c->kept = c->rest_most - c->rest + CHUNK * (c->blocks_most - c->blocks);
}

/*
 * Returns an upper bound of private memory since the last mark: all unshared
 * memory touched since then at once.  @known is the bound from known releases.
 *
 * Page faults for shared memory are subtracted, but their number is uncertain.
 * A fault makes one page of shared memory resident, or up to AROUND pages if
 * other ranks have made these pages, for example when a rank writes its part of
 * a window and reads the rest.  Memory that the rank made before the mark may
 * have been resident already.  If the faults bring more memory than any of
 * these cases explains, the fewest possible faults are subtracted.
 */
static uint64_t touched_at_once(const struct course *c, const struct wm_span *s,
				uint64_t known)
{
	uint64_t shared = s->element, all = c->private_then + s->bytes;
	const uint64_t alone[] = { shared, c->shared_most,
				   c->shared_most - c->shared_then };

	for (size_t i = 0; i < sizeof(alone) / sizeof(*alone); i++) {
		uint64_t one = wm_least(alone[i], shared);
		uint64_t faults = one + (shared - one) / AROUND;

		if (s->bytes >= faults && all - faults <= known + SLACK(shared))
			return all - faults;
	}
	return all - wm_least(shared / AROUND, s->bytes);
}

/* @now is the private memory measured; @s comes from WM_MARK_PRIVATE. */
static void end_interval(struct course *c, uint64_t now,
			 const struct wm_span *s)
{
	uint64_t high = now + wm_least(c->large_released, c->large_most) +
			wm_least(c->rest_released,
				 c->rest_most + CHUNK * c->blocks_most) +
			c->kept + c->stacks_released;

	wm_raise(&c->private_most, wm_least(high, s->start));
	wm_raise(&c->touched_most,
		 wm_least(touched_at_once(c, s, high), s->start));
	/* @now includes memory that an unknown call may have given back and
	 * that may have been shared: a window that MPI frees */
	c->private_then = wm_least(now, c->private_then + s->bytes);
	begin_interval(c);
	c->goes = c->alone;
}

/* For a single rank the order of ranks does not matter, unless the rank has
 * private memory beside shared memory, or died, perhaps at a limit. */
static bool course_idle(const struct wm_trace *t)
{
	return t->ranks <= 1 && t->ended &&
	       (!t->usage.has_private || t->usage.shared_peak < SHARED);
}

static enum wm_status course_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct course *c = state;

	(void)err;
	c->large.stride = c->live.stride = 1;
	c->look = t->usage.rss_last_ns;
	c->alone = t->thread_count == 1;
	return WM_OK;
}

/* A joined step has the higher bytes of both. */
static void join_pairs(struct steps *s)
{
	for (size_t i = 0; i < s->count; i += 2) {
		const struct wm_course_step *a = &s->step[i];
		uint64_t second = i + 1 < s->count ? a[1].bytes : 0;

		s->step[i / 2].bytes = a->bytes > second ? a->bytes : second;
		s->step[i / 2].ns = a->ns;
	}
	s->count = (s->count + 1) / 2;
}

static void add_step(struct steps *s, uint64_t time, uint64_t delta)
{
	struct wm_course_step *last;

	s->bytes += delta;
	if (s->count == STEPS && s->changes >= s->stride) {
		join_pairs(s);
		s->stride *= 2;
	}
	last = s->count ? &s->step[s->count - 1] : NULL;
	if (last && s->changes < s->stride) {
		s->changes++;
		if (s->bytes > last->bytes)
			last->bytes = s->bytes;
		return;
	}
	if (last && time <= last->ns) {
		if (s->bytes > last->bytes)
			last->bytes = s->bytes;
		/* at the same time, a release comes after the gain */
		if (s->bytes >= last->bytes)
			return;
		time = last->ns + 1;
	}
	s->step[s->count++] = (struct wm_course_step){ time, s->bytes };
	s->changes = 1;
}

/* Notes the live bytes until @time.  Since the changes before, at most @most
 * bytes were live; now .live.bytes are live. */
static void note_live(struct course *c, uint64_t time, uint64_t most)
{
	if (time <= c->look)
		c->look_live = c->since_look = c->live.bytes;
	else
		wm_raise(&c->since_look, most);
}

static uint64_t delta_of(const struct wm_changes *g, size_t i)
{
	uint64_t minus = -(uint64_t)(g->who[i] >> 31);

	return (g->bytes[i] ^ minus) - minus;
}

/* Takes RUN changes from @from on, with the same result as one by one.  Returns
 * false unless all are in a step that has begun, and are heap blocks below
 * LARGE. */
static bool take_run(struct course *c, const struct wm_changes *g, size_t from,
		     size_t end)
{
	struct steps *s = &c->live;
	uint64_t any = 0, families = 0, released = 0, gone = 0, high;
	int64_t sum = 0, most = INT64_MIN;

	if (s->stride - s->changes < RUN || end - from < RUN || c->goes ||
	    (g->time[from] <= c->look && g->time[from + RUN - 1] > c->look))
		return false;
	for (size_t i = from; i < from + RUN; i += sizeof(families)) {
		uint64_t some;

		memcpy(&some, &g->family[i], sizeof(some));
		families |= some;
	}
	for (size_t i = from; i < from + RUN; i++) {
		any |= g->bytes[i];
		sum += (int64_t)delta_of(g, i);
		released += g->bytes[i] & -(uint64_t)(g->who[i] >> 31);
		gone += g->who[i] >> 31;
		most = sum > most ? sum : most;
	}
	_Static_assert(!WM_FAMILY_heap, "families of the heap are bytes of 0");
	if (families || any >= LARGE)
		return false;
	if (s->bytes + (uint64_t)most > s->step[s->count - 1].bytes)
		s->step[s->count - 1].bytes = s->bytes + (uint64_t)most;
	high = s->bytes + (uint64_t)most;
	s->bytes += (uint64_t)sum;
	note_live(c, g->time[from + RUN - 1], high);
	s->changes += RUN;
	if ((int64_t)(c->rest + (uint64_t)most) > (int64_t)c->rest_most)
		c->rest_most = c->rest + (uint64_t)most;
	c->rest += (uint64_t)sum;
	c->rest_released += released + CHUNK * gone;
	c->blocks += RUN - gone;
	c->blocks_most = wm_most(c->blocks_most, c->blocks);
	c->blocks -= wm_least(gone, c->blocks);
	return true;
}

static void take_one(struct course *c, const struct wm_changes *g, size_t i)
{
	uint64_t delta = delta_of(g, i);
	uint64_t released = g->who[i] & WM_RELEASE && !c->goes ? g->bytes[i] :
								 0;

	c->goes = false;
	if (g->family[i] == WM_FAMILY_shm || g->family[i] == WM_FAMILY_mpi) {
		c->shared += delta;
		c->shared_most = wm_most(c->shared_most, c->shared);
	}
	if (g->family[i] == WM_FAMILY_shm)
		return;
	if (!wm_family_in_peak[g->family[i]]) {
		c->stacks_released += released;
		return;
	}
	add_step(&c->live, g->time[i], delta);
	note_live(c, g->time[i], c->live.bytes);
	if (g->bytes[i] >= LARGE || g->family[i] == WM_FAMILY_mapped) {
		add_step(&c->large, g->time[i], delta);
		c->large_released += released;
		c->large_most = wm_most(c->large_most, c->large.bytes);
		return;
	}
	c->rest += delta;
	c->rest_released += released;
	if (!(g->who[i] & WM_RELEASE)) {
		c->blocks_most = wm_most(c->blocks_most, ++c->blocks);
	} else if (c->blocks) {
		c->blocks--;
		c->rest_released += CHUNK;
	}
	if ((int64_t)c->rest > (int64_t)c->rest_most)
		c->rest_most = c->rest;
}

static void take_until(struct course *c, const struct wm_changes *g, size_t i,
		       size_t end)
{
	size_t alone = i; /* changes before this one are taken one by one */

	for (; i < end; i++) {
		if (i >= alone) {
			if (take_run(c, g, i, end)) {
				i += RUN - 1;
				continue;
			}
			alone = i + RUN;
		}
		take_one(c, g, i);
	}
}

static enum wm_status course_take(void *state, const struct wm_changes *g,
				  struct wm_err *err)
{
	struct course *c = state;
	size_t mark = 0, i = 0;

	(void)err;
	for (; mark < g->marks; mark++) {
		const struct wm_mark *m = &g->mark[mark];

		if (m->kind != WM_MARK_PRIVATE)
			continue;
		take_until(c, g, i, m->at);
		i = m->at;
		end_interval(c, m->bytes, &m->span);
	}
	take_until(c, g, i, g->count);
	return WM_OK;
}

/* Joins similar steps to shorten the list; bounds become a little higher. */
static void join_like(struct steps *s)
{
	uint64_t some = 0, begin = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->step[i].bytes / SAME > some)
			some = s->step[i].bytes / SAME;
	for (size_t i = 0; i < s->count; i++) {
		struct wm_course_step *last = n ? &s->step[n - 1] : NULL;
		uint64_t bytes = s->step[i].bytes;

		if (!last || bytes + some < last->bytes ||
		    bytes > begin + some) {
			begin = bytes;
			s->step[n++] = s->step[i];
		} else if (bytes > last->bytes) {
			last->bytes = bytes;
		}
	}
	s->count = n;
}

static enum wm_status keep(struct wm_course *out, const struct steps *s,
			   const struct wm_trace *t, struct wm_err *err)
{
	if (!s->count)
		return WM_OK;
	out->step = malloc(s->count * sizeof(*out->step));
	if (!out->step)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < s->count; i++) {
		double seconds = wm_trace_seconds(t, s->step[i].ns);

		out->step[i].ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
		out->step[i].bytes = s->step[i].bytes;
	}
	out->count = s->count;
	return WM_OK;
}

static enum wm_status course_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct course *c = state;
	enum wm_status s;

	rank->course.rest_most = c->rest_most;
	rank->course.look_live = c->look_live;
	rank->course.since_look = c->since_look;
	/* valid only if the trace has each release */
	if (t->usage.has_private && !t->dropped && !t->overwritten &&
	    !t->paused_allocations && !t->gaps) {
		end_interval(c, t->usage.private_end,
			     &(struct wm_span){ t->usage.private_most,
						t->usage.touched,
						t->usage.shared_more });
		rank->course.private_most = c->private_most;
		rank->course.touched_most = c->touched_most;
	}
	while (c->live.count > LIVE_STEPS)
		join_pairs(&c->live);
	join_like(&c->live);
	s = keep(&rank->course.large, &c->large, t, err);
	return s ? s : keep(&rank->course.live, &c->live, t, err);
}

const struct wm_pass_ops wm_pass_course = {
	.name = "course",
	.state_size = sizeof(struct course),
	.idle = course_idle,
	.init = course_init,
	.take = course_take,
	.finish = course_finish,
};
