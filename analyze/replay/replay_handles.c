/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of handles of MPI (docs/trace-format.md, 5.13), which are no memory:
 * they lie in the table of MPI's blocks, and the passes get marks. */
#include "wm/trace_format.h"

#include "analyze/replay/replay.h"

/* The handle at @s is freed, or another one is found to have its value. */
static void end_handle(struct wm_replay *r, struct wm_live_slot *s,
		       uint64_t time)
{
	/* a damaged trace may have given it a name */
	wm_replay_mark(r, WM_MARK_HANDLE_FREED, 0, s->path & ~WM_NAMED, 0,
		       time);
	wm_live_erase(&r->mpi, s);
}

/* One that is made anew was freed unseen, or made by a call within another. */
enum wm_step wm_replay_handle_made(struct wm_replay *r, struct wm_feed *f,
				   uint64_t time)
{
	uint64_t addr = f->slice->new_addr[f->new_addr];
	uint64_t maker = f->slice->size[f->stack];
	uint32_t path = f->slice->path[f->stack];
	struct wm_live_slot *s = wm_live_find(&r->mpi, addr);

	if (s->addr && !f->alone) {
		r->addr = addr;
		return WM_STEP_WAIT;
	}
	if (s->addr) {
		end_handle(r, s, time);
		s = wm_live_find(&r->mpi, addr);
	}
	wm_replay_mark(r, WM_MARK_HANDLE_MADE, 0, path, maker, time);
	f->new_addr++;
	f->stack++;
	r->handles_made++;
	if (wm_live_put(&r->mpi, s, addr, 0, path))
		return wm_replay_no_memory(r);
	wm_live_set_alloc_time(&r->mpi, s, time);
	return WM_STEP_DONE;
}

/* Nobody need have made it: the same calls free what is not followed. */
enum wm_step wm_replay_handle_freed(struct wm_replay *r, struct wm_feed *f,
				    uint64_t time)
{
	uint64_t addr = f->slice->old_addr[f->old_addr];
	struct wm_live_slot *s = wm_live_find(&r->mpi, addr);

	if (!s->addr && !f->alone) {
		r->addr = addr;
		return WM_STEP_WAIT;
	}
	if (s->addr)
		end_handle(r, s, time);
	f->old_addr++;
	r->handles_freed++;
	return WM_STEP_DONE;
}
