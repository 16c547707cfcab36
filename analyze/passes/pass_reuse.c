/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances of loads and stores (analyze/access/reuse.h). */
#include "analyze/access/reuse.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/read_accesses.h"
#include "analyze/passes/wish.h"

static void reuse_wish(void *state, const struct wm_wish *wish)
{
	wm_reuse_init(state, wish->line);
}

static enum wm_status reuse_batch(void *state, struct wm_access_batch *b,
				  struct wm_err *err)
{
	struct wm_reuse *u = state;
	enum wm_status r = wm_reuse_thread(u, b->thread, err);

	if (!r && !b->count)
		wm_reuse_thread_ends(u);
	for (size_t i = 0; i < b->count && !r; i++) {
		const struct wm_access *a = &b->access[i];

		if (b->cell[i] == WM_ACCESS_NO_CELL)
			continue;
		if (b->cell[i] >= u->cells)
			r = wm_reuse_room(u, (size_t)b->cell[i] + 1, err);
		if (!r)
			r = wm_reuse_access(u, a->addr, a->bytes, b->cell[i],
					    err);
	}
	return r;
}

static enum wm_status reuse_finish(void *state, const struct wm_trace *t,
				   struct wm_rank *rank, struct wm_err *err)
{
	struct wm_reuse *u = state;
	struct wm_simulated *to = &rank->simulated;

	(void)t;
	(void)err;
	to->line = 1u << u->shift;
	to->reuse = u->cell;
	to->reuse_left_out = u->left_out;
	to->reuse_cells = u->cells;
	u->cell = NULL;
	u->cells = 0;
	return WM_OK;
}

static void reuse_release(void *state)
{
	wm_reuse_release(state);
}

const struct wm_pass_ops wm_pass_reuse = {
	.name = "reuse",
	.state_size = sizeof(struct wm_reuse),
	.idle = wm_trace_without_accesses,
	.wish = reuse_wish,
	.accesses = reuse_batch,
	.finish = reuse_finish,
	.release = reuse_release,
};
