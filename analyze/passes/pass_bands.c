/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes over time, by call path (bands.h). */
#include "analyze/replay/pass.h"

#include "analyze/passes/bands.h"
#include "analyze/trace/reader.h"

static enum wm_status bands_init(void *state, const struct wm_trace *t,
				 struct wm_err *err)
{
	return wm_banding_init(state, t, t->paths.path_count, err);
}

static enum wm_status bands_take(void *state, const struct wm_changes *c,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i;

	for (i = 0; i < c->count && !s; i++)
		if (wm_family_in_peak[c->family[i]])
			s = wm_banding_take(state, c->who[i] & ~WM_RELEASE,
					    c->bytes[i],
					    (c->who[i] & WM_RELEASE) != 0,
					    c->time[i], err);
	return s;
}

static enum wm_status bands_finish(void *state, const struct wm_trace *t,
				   struct wm_rank *rank, struct wm_err *err)
{
	return wm_banding_finish(state, t, &rank->bands, err);
}

static void bands_release(void *state)
{
	wm_banding_release(state);
}

const struct wm_pass_ops wm_pass_bands = {
	.name = "bands",
	.state_size = sizeof(struct wm_banding),
	.init = bands_init,
	.take = bands_take,
	.finish = bands_finish,
	.release = bands_release,
};
