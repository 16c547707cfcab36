/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large memory over time, so that ranks which have theirs one after another need
 * not be taken for ranks that all have it at once (queries/needs.h).
 *
 * malloc may keep what is freed, but not a block of 32 MiB or more: glibc maps
 * each of these (DEFAULT_MMAP_THRESHOLD_MAX in its malloc.c), and unmaps it when
 * it is freed.  Shared memory counts apart (need.h).
 */
#include "analyze/replay/pass.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/passes/rank.h"
#include "analyze/trace/reader.h"

#define LARGE ((uint64_t)32 << 20)
#define STEPS 1024 /* even */
#define LIVE_STEPS (STEPS / 8) /* that are kept at most */
#define SAME 16 /* steps that differ by less of the highest are one */
#define RUN 64 /* changes that are looked at together */

struct steps {
	struct wm_course_step step[STEPS]; /* .ns: ticks */
	size_t count;
	uint64_t bytes; /* now */
	uint64_t stride, changes; /* of each step, and of the last one */
};

struct course {
	struct steps large, live;
	uint64_t rest, rest_most;
};

static enum wm_status course_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct course *c = state;

	(void)t;
	(void)err;
	c->large.stride = c->live.stride = 1;
	return WM_OK;
}

/* Each pair becomes one step, which has the higher bytes of both. */
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
		/* a release at the same time comes behind it */
		if (s->bytes >= last->bytes)
			return;
		time = last->ns + 1;
	}
	s->step[s->count++] = (struct wm_course_step){ time, s->bytes };
	s->changes = 1;
}

static uint64_t delta_of(const struct wm_changes *g, size_t i)
{
	/* 0 or all ones */
	uint64_t minus = -(uint64_t)(g->who[i] >> 31);

	return (g->bytes[i] ^ minus) - minus;
}

/*
 * RUN changes from @from on which belong to a step that has begun, and are
 * blocks of the heap that are not large: as one by one, but quicker.  False:
 * they are not that.
 */
static bool take_run(struct course *c, const struct wm_changes *g, size_t from)
{
	struct steps *s = &c->live;
	uint64_t any = 0, families = 0;
	int64_t sum = 0, most = INT64_MIN;

	if (s->stride - s->changes < RUN || g->count - from < RUN)
		return false;
	for (size_t i = from; i < from + RUN; i += sizeof(families)) {
		uint64_t some;

		memcpy(&some, &g->family[i], sizeof(some));
		families |= some;
	}
	for (size_t i = from; i < from + RUN; i++) {
		any |= g->bytes[i];
		sum += (int64_t)delta_of(g, i);
		most = sum > most ? sum : most;
	}
	_Static_assert(!WM_FAMILY_heap, "families of the heap are bytes of 0");
	if (families || any >= LARGE)
		return false;
	if (s->bytes + (uint64_t)most > s->step[s->count - 1].bytes)
		s->step[s->count - 1].bytes = s->bytes + (uint64_t)most;
	s->bytes += (uint64_t)sum;
	s->changes += RUN;
	if ((int64_t)(c->rest + (uint64_t)most) > (int64_t)c->rest_most)
		c->rest_most = c->rest + (uint64_t)most;
	c->rest += (uint64_t)sum;
	return true;
}

static enum wm_status course_take(void *state, const struct wm_changes *g,
				  struct wm_err *err)
{
	struct course *c = state;
	size_t alone = 0; /* changes before this one are taken one by one */

	(void)err;
	for (size_t i = 0; i < g->count; i++) {
		uint64_t delta = delta_of(g, i);

		if (i >= alone) {
			if (take_run(c, g, i)) {
				i += RUN - 1;
				continue;
			}
			alone = i + RUN;
		}

		if (g->family[i] == WM_FAMILY_shm ||
		    !wm_family_in_peak[g->family[i]])
			continue;
		add_step(&c->live, g->time[i], delta);
		if (g->bytes[i] >= LARGE || g->family[i] == WM_FAMILY_mapped) {
			add_step(&c->large, g->time[i], delta);
			continue;
		}
		c->rest += delta;
		if ((int64_t)c->rest > (int64_t)c->rest_most)
			c->rest_most = c->rest;
	}
	return WM_OK;
}

/* Fewer steps, as high or a bit higher: there is one list for each rank. */
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
	while (c->live.count > LIVE_STEPS)
		join_pairs(&c->live);
	join_like(&c->live);
	s = keep(&rank->course.large, &c->large, t, err);
	return s ? s : keep(&rank->course.live, &c->live, t, err);
}

static void course_release(void *state)
{
	(void)state;
}

const struct wm_pass_ops wm_pass_course = {
	.name = "course",
	.state_size = sizeof(struct course),
	.init = course_init,
	.take = course_take,
	.finish = course_finish,
	.release = course_release,
};
