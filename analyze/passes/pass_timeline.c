/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes over time. */
#include "analyze/lib/replay/pass.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/passes/bins.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

struct timeline {
	struct wm_bins bins;
	uint64_t point[WM_BINS * WM_POINTS_OF_BIN];
	size_t part; /* the part of the bin that is being filled */
	uint64_t limit; /* end of the part, in ticks */
	uint64_t max;
};

/* Finds the end of the part.  The last part ends with the bin. */
static void find_limit(struct timeline *t)
{
	const struct wm_bins *b = &t->bins;
	uint64_t n = t->part + 1;

	t->limit = b->limit;
	if (n < WM_POINTS_OF_BIN && b->limit != UINT64_MAX)
		t->limit -= b->width - b->width / WM_POINTS_OF_BIN * n -
			    b->width % WM_POINTS_OF_BIN * n / WM_POINTS_OF_BIN;
}

static enum wm_status timeline_init(void *state, const struct wm_trace *t,
				    struct wm_err *err)
{
	struct timeline *l = state;

	(void)err;
	wm_bins_init(&l->bins, t);
	find_limit(l);
	return WM_OK;
}

static void close_part(struct timeline *t)
{
	struct wm_bins *b = &t->bins;
	uint64_t *p = t->point;

	p[b->at * WM_POINTS_OF_BIN + t->part] = t->max;
	wm_raise(&b->max, t->max);
	t->max = b->live;
	if (++t->part == WM_POINTS_OF_BIN) {
		t->part = 0;
		if (wm_bins_close(b))
			for (size_t i = 0; i < WM_BINS / 2 * WM_POINTS_OF_BIN;
			     i++)
				p[i] = p[2 * i] > p[2 * i + 1] ? p[2 * i] :
								 p[2 * i + 1];
	}
	find_limit(t);
}

static enum wm_status timeline_take(void *state, const struct wm_changes *c,
				    struct wm_err *err)
{
	struct timeline *t = state;
	struct wm_bins *b = &t->bins;

	(void)err;
	for (size_t i = 0; i < c->count; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		while (c->time[i] >= t->limit && t->limit != UINT64_MAX)
			close_part(t);
		if (c->who[i] & WM_RELEASE) {
			b->live -= c->bytes[i];
			continue;
		}
		b->live += c->bytes[i];
		wm_raise(&t->max, b->live);
	}
	return WM_OK;
}

static enum wm_status timeline_finish(void *state, const struct wm_trace *t,
				      struct wm_rank *rank, struct wm_err *err)
{
	struct wm_timeline *out = &rank->timeline;
	struct timeline *l = state;
	struct wm_bins *b = &l->bins;

	while (wm_bins_before_end(b, t))
		close_part(l);
	out->count = b->at + 1;
	out->points = out->count * WM_POINTS_OF_BIN;
	wm_raise(&b->max, l->max);
	for (size_t i = b->at * WM_POINTS_OF_BIN + l->part; i < out->points;
	     i++) {
		l->point[i] = l->max;
		l->max = b->live;
	}
	wm_bins_end(b);
	out->bin = malloc(out->count * sizeof(*out->bin));
	out->point = malloc(out->points * sizeof(*out->point));
	if (!out->bin || !out->point)
		return wm_no_memory(err, NULL);
	memcpy(out->bin, b->bin, out->count * sizeof(*out->bin));
	memcpy(out->point, l->point, out->points * sizeof(*out->point));
	out->seconds = wm_trace_duration(t, b->width);
	return WM_OK;
}

const struct wm_pass_ops wm_pass_timeline = {
	.name = "timeline",
	.state_size = sizeof(struct timeline),
	.init = timeline_init,
	.take = timeline_take,
	.finish = timeline_finish,
};
