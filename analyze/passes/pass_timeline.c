/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes over time. */
#include "analyze/replay/pass.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/passes/bins.h"
#include "analyze/passes/rank.h"
#include "analyze/trace/reader.h"

static enum wm_status timeline_init(void *state, const struct wm_trace *t,
				    struct wm_err *err)
{
	(void)err;
	wm_bins_init(state, t);
	return WM_OK;
}

static enum wm_status timeline_take(void *state, const struct wm_changes *c,
				    struct wm_err *err)
{
	struct wm_bins *b = state;
	size_t i;

	(void)err;
	for (i = 0; i < c->count; i++) {
		if (!wm_family_in_peak[c->family[i]])
			continue;
		while (wm_bins_over(b, c->time[i]))
			wm_bins_close(b);
		if (c->who[i] & WM_RELEASE) {
			b->live -= c->bytes[i];
			continue;
		}
		b->live += c->bytes[i];
		if (b->live > b->max)
			b->max = b->live;
	}
	return WM_OK;
}

static enum wm_status timeline_finish(void *state, const struct wm_trace *t,
				      struct wm_rank *rank, struct wm_err *err)
{
	struct wm_timeline *out = &rank->timeline;
	struct wm_bins *b = state;

	while (wm_bins_before_end(b, t))
		wm_bins_close(b);
	wm_bins_end(b);
	out->count = b->at + 1;
	out->bin = malloc(out->count * sizeof(*out->bin));
	if (!out->bin)
		return wm_no_memory(err, NULL);
	memcpy(out->bin, b->bin, out->count * sizeof(*out->bin));
	out->seconds = wm_trace_seconds(t, b->start + b->width);
	return WM_OK;
}

static void timeline_release(void *state)
{
	(void)state;
}

const struct wm_pass_ops wm_pass_timeline = {
	.name = "timeline",
	.state_size = sizeof(struct wm_bins),
	.init = timeline_init,
	.take = timeline_take,
	.finish = timeline_finish,
	.release = timeline_release,
};
