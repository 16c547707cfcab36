/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes over time, by call path (series.h). */
#include "analyze/lib/replay/pass.h"

#include "analyze/passes/series.h"
#include "analyze/lib/trace/reader.h"

static enum wm_status series_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	return wm_series_builder_init(state, t, t->paths.path_count, err);
}

static enum wm_status series_take(void *state, const struct wm_changes *c,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < c->count && !s; i++)
		if (wm_family_in_peak[c->family[i]])
			s = wm_series_builder_add(state,
						  c->who[i] & ~WM_RELEASE,
						  c->bytes[i],
						  (c->who[i] & WM_RELEASE) != 0,
						  c->time[i], err);
	return s;
}

static enum wm_status series_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	return wm_series_builder_finish(state, t, &rank->series, err);
}

static void series_release(void *state)
{
	wm_series_builder_release(state);
}

const struct wm_pass_ops wm_pass_series = {
	.name = "bands",
	.state_size = sizeof(struct wm_series_builder),
	.init = series_init,
	.take = series_take,
	.finish = series_finish,
	.release = series_release,
};
