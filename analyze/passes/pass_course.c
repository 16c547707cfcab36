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

struct course {
	struct wm_course_step step[STEPS]; /* .ns: ticks */
	size_t count;
	uint64_t live, most, rest, rest_most;
};

static enum wm_status course_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	(void)state;
	(void)t;
	(void)err;
	return WM_OK;
}

/* Each pair becomes one step, which has the higher bytes of both. */
static void join_pairs(struct course *c)
{
	for (size_t i = 0; i < STEPS / 2; i++) {
		const struct wm_course_step *a = &c->step[2 * i];

		c->step[i].ns = a[0].ns;
		c->step[i].bytes = a[0].bytes > a[1].bytes ? a[0].bytes :
							     a[1].bytes;
	}
	c->count = STEPS / 2;
}

static void add_step(struct course *c, uint64_t time)
{
	struct wm_course_step *last;

	if (c->count == STEPS)
		join_pairs(c);
	last = c->count ? &c->step[c->count - 1] : NULL;
	if (c->live > c->most)
		c->most = c->live;
	if (last && time <= last->ns) {
		if (c->live > last->bytes)
			last->bytes = c->live;
		/* a release at the same time comes behind it */
		if (c->live >= last->bytes)
			return;
		time = last->ns + 1;
	}
	c->step[c->count++] = (struct wm_course_step){ time, c->live };
}

static enum wm_status course_take(void *state, const struct wm_changes *g,
				  struct wm_err *err)
{
	struct course *c = state;

	(void)err;
	for (size_t i = 0; i < g->count; i++) {
		/* 0 or all ones */
		uint64_t minus = -(uint64_t)(g->who[i] >> 31);
		uint64_t delta = (g->bytes[i] ^ minus) - minus;

		if (g->family[i] == WM_FAMILY_shm ||
		    !wm_family_in_peak[g->family[i]])
			continue;
		if (g->bytes[i] < LARGE && g->family[i] != WM_FAMILY_mapped) {
			c->rest += delta;
			if ((int64_t)c->rest > (int64_t)c->rest_most)
				c->rest_most = c->rest;
			continue;
		}
		c->live += delta;
		add_step(c, g->time[i]);
	}
	return WM_OK;
}

static enum wm_status course_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct wm_course *out = &rank->course;
	const struct course *c = state;

	out->most = c->most;
	out->rest_most = c->rest_most;
	if (!c->count)
		return WM_OK;
	out->step = malloc(c->count * sizeof(*out->step));
	if (!out->step)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < c->count; i++) {
		double s = wm_trace_seconds(t, c->step[i].ns);

		out->step[i].ns = s > 0 ? (uint64_t)(s * 1e9) : 0;
		out->step[i].bytes = c->step[i].bytes;
	}
	out->count = c->count;
	return WM_OK;
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
