/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores by place and variable (analyze/access/resolve.h). */
#include "analyze/access/resolve.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/reader.h"

#include <string.h>

static bool accesses_idle(const struct wm_trace *t)
{
	return !t->access_block_count && !t->samples;
}

static enum wm_status accesses_init(void *state, const struct wm_trace *t,
				    struct wm_err *err)
{
	return wm_resolver_init(state, t, err);
}

static enum wm_status accesses_take(void *state, const struct wm_changes *c,
				    struct wm_err *err)
{
	return wm_resolver_take(state, c, err);
}

static enum wm_status accesses_batch(void *state, struct wm_access_batch *b,
				     struct wm_err *err)
{
	return wm_resolver_batch(state, b, err);
}

static uint64_t on_clock(const struct wm_trace *t, uint64_t ticks)
{
	return ticks ? (uint64_t)(wm_trace_seconds(t, ticks) * 1e9) : 0;
}

static enum wm_status accesses_finish(void *state, const struct wm_trace *t,
				      struct wm_rank *rank, struct wm_err *err)
{
	struct wm_resolver *r = state;
	struct wm_access_table *to = &r->table;

	(void)err;
	for (size_t i = 0; i < to->cells; i++) {
		to->cell[i].first_ns = on_clock(t, to->cell[i].first_ns);
		to->cell[i].last_ns = on_clock(t, to->cell[i].last_ns);
	}
	rank->access_total = to->accesses;
	rank->accesses = *to;
	memset(to, 0, sizeof(*to));
	return WM_OK;
}

static void accesses_release(void *state)
{
	wm_resolver_release(state);
}

const struct wm_pass_ops wm_pass_accesses = {
	.name = "accesses",
	.state_size = sizeof(struct wm_resolver),
	.alloc_times = true,
	.addresses = true,
	.idle = accesses_idle,
	.init = accesses_init,
	.take = accesses_take,
	.accesses = accesses_batch,
	.finish = accesses_finish,
	.release = accesses_release,
};
