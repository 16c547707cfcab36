/* SPDX-License-Identifier: Apache-2.0 */
/* Forwards everything to the listener of the wish. */
#include "analyze/lib/replay/pass.h"
#include "analyze/passes/wish.h"

struct state {
	const struct wm_listener *to;
};

static void listener_wish(void *state, const struct wm_wish *wish)
{
	struct state *s = state;

	s->to = wish->listener;
}

static enum wm_status listener_init(void *state, const struct wm_trace *t,
				    struct wm_err *err)
{
	struct state *s = state;

	return s->to->begin(s->to->context, t, err);
}

static enum wm_status listener_take(void *state, const struct wm_changes *c,
				    struct wm_err *err)
{
	struct state *s = state;

	return s->to->take(s->to->context, c, err);
}

static enum wm_status listener_accesses(void *state, struct wm_access_batch *b,
					struct wm_err *err)
{
	struct state *s = state;

	return s->to->accesses ? s->to->accesses(s->to->context, b, err) :
				 WM_OK;
}

const struct wm_pass_ops wm_pass_listener = {
	.name = "listener",
	.state_size = sizeof(struct state),
	.alloc_times = true,
	.addresses = true,
	.wish = listener_wish,
	.init = listener_init,
	.take = listener_take,
	.accesses = listener_accesses,
};
