/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/replay.h"

void wm_replay_mark(struct wm_replay *r, int kind, uint32_t name, uint32_t path,
		    uint64_t bytes, uint64_t time)
{
	struct wm_changes *c = &r->changes;
	struct wm_mark *m = &c->mark[c->marks++];

	m->kind = (__typeof__(m->kind))kind;
	m->at = (uint32_t)c->count;
	m->path = path & ~WM_NAMED;
	m->name = name;
	m->bytes = bytes;
	m->time = m->since = time;
}

void wm_replay_turn(struct wm_replay *r, uint32_t thread)
{
	struct wm_changes *c = &r->changes;
	struct wm_turn *last = c->turns ? &c->turn[c->turns - 1] : NULL;

	if (last && last->thread == thread)
		return;
	if (!last || last->at != c->count)
		last = &c->turn[c->turns++];
	*last = (struct wm_turn){ (uint32_t)c->count, thread };
}

enum wm_status wm_replay_flush(struct wm_replay *r, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	if (r->recent)
		wm_bound_look(&r->bound, &r->changes);
	if (r->changes.count || r->changes.marks)
		s = wm_passes_take(r->passes, &r->changes, err);
	r->changes.count = r->changes.marks = r->changes.moves = 0;
	if (r->changes.turns) {
		/* the current event may make more changes */
		r->changes.turn[0].at = 0;
		r->changes.turn[0].thread =
			r->changes.turn[r->changes.turns - 1].thread;
		r->changes.turns = 1;
	}
	r->bound.seen = 0;
	r->batches++;
	return s;
}

enum wm_step wm_replay_no_memory(struct wm_replay *r)
{
	r->status = wm_no_memory(&r->why, "live blocks");
	return WM_STEP_FAIL;
}
