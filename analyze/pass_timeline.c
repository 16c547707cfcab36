/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time, in a fixed number of bins.
 *
 * The bins cover the time from the first to the last block of the trace.  When
 * events turn out to lie behind that, pairs of bins are joined and the bin
 * width doubles, so that memory does not depend on the length of the run.
 */
#include "analyze/pass.h"

#include <stdlib.h>

#include "analyze/rank.h"
#include "analyze/reader.h"

#define BINS 400 /* even */

struct timeline {
	struct wm_bin bin[BINS];
	size_t at; /* the bin that is being filled */
	uint64_t start, width; /* ticks */
	uint64_t limit; /* end of the bin, ticks */
	uint64_t live, max; /* max: of the bin */
};

static enum wm_status timeline_init(void *state, const struct wm_trace *t,
				    struct wm_err *err)
{
	struct timeline *l = state;
	uint64_t span = 0;

	(void)err;
	if (t->end_ticks > t->start.ticks)
		span = t->end_ticks - t->start.ticks;
	l->start = t->start.ticks;
	l->width = span / BINS + 1;
	l->limit = l->start + l->width;
	return WM_OK;
}

/* Make place behind the last bin. */
static void join_pairs(struct timeline *l)
{
	size_t i;

	for (i = 0; i < BINS / 2; i++) {
		const struct wm_bin *a = &l->bin[2 * i], *b = a + 1;

		l->bin[i].max = a->max > b->max ? a->max : b->max;
		l->bin[i].end = b->end;
	}
	l->at = BINS / 2;
	l->width *= 2;
}

/* The bin at l->at is over. */
static void close_bin(struct timeline *l)
{
	l->bin[l->at].max = l->max;
	l->bin[l->at].end = l->live;
	l->max = l->live;
	if (++l->at == BINS)
		join_pairs(l);
	if (__builtin_add_overflow(l->limit, l->width, &l->limit))
		l->limit = UINT64_MAX;
}

static enum wm_status timeline_take(void *state, const struct wm_changes *c,
				    struct wm_err *err)
{
	struct timeline *l = state;
	size_t i;

	(void)err;
	for (i = 0; i < c->count; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		while (c->time[i] >= l->limit && l->limit != UINT64_MAX)
			close_bin(l);
		if (c->who[i] & WM_RELEASE) {
			l->live -= c->bytes[i];
			continue;
		}
		l->live += c->bytes[i];
		if (l->live > l->max)
			l->max = l->live;
	}
	return WM_OK;
}

static enum wm_status timeline_finish(void *state, const struct wm_trace *t,
				      struct wm_rank *rank, struct wm_err *err)
{
	struct timeline *l = state;
	struct wm_timeline *out = &rank->timeline;
	size_t i;

	while (l->limit <= t->end_ticks && l->limit != UINT64_MAX)
		close_bin(l);
	l->bin[l->at].max = l->max;
	l->bin[l->at].end = l->live;
	out->count = l->at + 1;
	out->bin = malloc(out->count * sizeof(*out->bin));
	if (!out->bin)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < out->count; i++)
		out->bin[i] = l->bin[i];
	out->seconds = wm_trace_seconds(t, l->start + l->width);
	return WM_OK;
}

static void timeline_release(void *state)
{
	(void)state;
}

const struct wm_pass_ops wm_pass_timeline = {
	.name = "timeline",
	.state_size = sizeof(struct timeline),
	.init = timeline_init,
	.take = timeline_take,
	.finish = timeline_finish,
	.release = timeline_release,
};
