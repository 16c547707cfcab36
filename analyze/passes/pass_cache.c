/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates caches for loads and stores (analyze/access/cache.h). */
#include "analyze/access/cache.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/read_accesses.h"
#include "analyze/passes/wish.h"

static void cache_wish(void *state, const struct wm_wish *wish)
{
	struct wm_caches *c = state;

	c->shape = wish->caches;
}

static enum wm_status cache_init(void *state, const struct wm_trace *t,
				 struct wm_err *err)
{
	struct wm_caches *c = state;
	struct wm_cache_shape shape = c->shape;

	(void)t;
	return wm_caches_init(c, &shape, err);
}

static enum wm_status cache_batch(void *state, struct wm_access_batch *b,
				  struct wm_err *err)
{
	struct wm_caches *c = state;
	enum wm_status r = wm_caches_thread(c, b->thread, err);

	if (!r && !b->count)
		wm_caches_thread_ends(c);
	for (size_t i = 0; i < b->count && !r; i++) {
		const struct wm_access *a = &b->access[i];

		if (b->cell[i] == WM_ACCESS_NO_CELL)
			continue;
		if (b->cell[i] >= c->cells)
			r = wm_caches_room(c, (size_t)b->cell[i] + 1, err);
		if (!r)
			wm_caches_access(c, a->addr, a->bytes,
					 b->spot[a->spot].kind, b->cell[i]);
	}
	return r;
}

static enum wm_status cache_finish(void *state, const struct wm_trace *t,
				   struct wm_rank *rank, struct wm_err *err)
{
	struct wm_caches *c = state;
	struct wm_simulated *to = &rank->simulated;

	(void)t;
	(void)err;
	to->caches = c->shape;
	to->cache = c->cell;
	to->cache_cells = c->cells;
	c->cell = NULL;
	c->cells = 0;
	return WM_OK;
}

static void cache_release(void *state)
{
	wm_caches_release(state);
}

const struct wm_pass_ops wm_pass_cache = {
	.name = "cache",
	.state_size = sizeof(struct wm_caches),
	.idle = wm_trace_without_accesses,
	.wish = cache_wish,
	.init = cache_init,
	.accesses = cache_batch,
	.finish = cache_finish,
	.release = cache_release,
};
