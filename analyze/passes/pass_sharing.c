/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that threads share (analyze/access/sharing.h). */
#include "analyze/access/sharing.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/read_accesses.h"
#include "analyze/passes/wish.h"

struct sharing {
	struct wm_sharing s;
	uint32_t line;
	uint64_t changes;
};

static void sharing_wish(void *state, const struct wm_wish *wish)
{
	struct sharing *p = state;

	p->line = wish->line;
}

static enum wm_status sharing_init(void *state, const struct wm_trace *t,
				   struct wm_err *err)
{
	struct sharing *p = state;

	(void)t;
	return wm_sharing_init(&p->s, p->line, err);
}

static enum wm_status sharing_take(void *state, const struct wm_changes *c,
				   struct wm_err *err)
{
	struct sharing *p = state;
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < c->count && !r; i++)
		if (c->who[i] & WM_RELEASE)
			r = wm_sharing_block(&p->s, c->addr[i], c->bytes[i],
					     err);
	p->changes += c->count;
	return r;
}

static enum wm_status sharing_batch(void *state, struct wm_access_batch *b,
				    struct wm_err *err)
{
	struct sharing *p = state;
	enum wm_status r;

	/* accesses between two changes may be in any order */
	r = wm_sharing_thread(&p->s, b->thread, p->changes, p->changes + 1,
			      err);
	for (size_t i = 0; i < b->count && !r; i++) {
		const struct wm_access *a = &b->access[i];

		if (b->cell[i] == WM_ACCESS_NO_CELL)
			continue;
		r = wm_sharing_access(&p->s, a->addr, a->bytes,
				      b->spot[a->spot].kind, b->cell[i], err);
	}
	return r;
}

static enum wm_status sharing_finish(void *state, const struct wm_trace *t,
				     struct wm_rank *rank, struct wm_err *err)
{
	struct sharing *p = state;
	struct wm_simulated *to = &rank->simulated;
	enum wm_status r = wm_sharing_finish(&p->s, err);

	(void)t;
	to->line = p->line;
	to->sharing = p->s.row;
	to->sharing_rows = p->s.rows;
	to->sharing_left_out = p->s.left_out;
	p->s.row = NULL;
	p->s.rows = 0;
	return r;
}

static void sharing_release(void *state)
{
	struct sharing *p = state;

	wm_sharing_release(&p->s);
}

const struct wm_pass_ops wm_pass_sharing = {
	.name = "sharing",
	.state_size = sizeof(struct sharing),
	.alloc_times = true,
	.addresses = true,
	.idle = wm_trace_without_accesses,
	.wish = sharing_wish,
	.init = sharing_init,
	.take = sharing_take,
	.accesses = sharing_batch,
	.finish = sharing_finish,
	.release = sharing_release,
};
