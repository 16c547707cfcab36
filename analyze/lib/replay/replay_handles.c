/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of handles of MPI (docs/trace-format.md, 5.13).  Handles are not
 * memory: they are in the table of MPI's blocks, and the passes get marks. */
#include "wm/handle_list.h"
#include "wm/trace_format.h"

#include "analyze/lib/replay/replay.h"

/* Ends the handle at @s, which was freed, or whose value another handle has. */
static void end_handle(struct wm_replay *r, struct wm_live_slot *s,
		       uint64_t time)
{
	/* a damaged trace may have given the handle a name */
	wm_replay_mark(r, WM_MARK_HANDLE_FREED, 0, s->path & ~WM_NAMED, 0,
		       time);
	wm_live_erase(&r->mpi, s);
}

/* A further reference to a group has a number, and is in the table of blocks at
 * the address NUMBERED + number, which no handle has.  The sizes in the table
 * `links` chain these numbers: the group's address has the number of its last
 * reference, and the address of each reference has the number before it; 0:
 * none. */
#define NUMBERED WMT_HANDLE_LIMIT

static uint64_t link_of(const struct wm_replay *r, uint64_t addr)
{
	const struct wm_live_slot *s = wm_live_find(&r->links, addr);

	return s->addr ? s->size : 0;
}

/* Returns -1 without memory. */
static int set_link(struct wm_replay *r, uint64_t addr, uint64_t number)
{
	struct wm_live_slot *s = wm_live_find(&r->links, addr);

	if (s->addr)
		wm_live_erase(&r->links, s);
	if (!number)
		return 0;
	return wm_live_reserve(&r->links, 1) ||
	       wm_live_put(&r->links, wm_live_find(&r->links, addr), addr,
			   number, 0);
}

/* Returns the slot of a further reference, or NULL without memory. */
static struct wm_live_slot *add_reference(struct wm_replay *r, uint64_t addr)
{
	uint64_t number = ++r->references, at = NUMBERED + number;

	if (set_link(r, at, link_of(r, addr)) || set_link(r, addr, number))
		return NULL;
	return wm_live_find(&r->mpi, at);
}

/* Ends the last reference to a group: which reference is freed is unknown. */
static void end_reference(struct wm_replay *r, uint64_t addr, uint64_t time)
{
	uint64_t number = link_of(r, addr), at = NUMBERED + number;

	if (number) {
		set_link(r, addr, link_of(r, at));
		set_link(r, at, 0);
	}
	end_handle(r, wm_live_find(&r->mpi, number ? at : addr), time);
}

/* If the handle is live already, it was freed without a record, or was made by
 * a call inside another call, or is one more reference to a group. */
enum wm_step wm_replay_handle_made(struct wm_replay *r, struct wm_feed *f,
				   uint64_t time)
{
	uint64_t addr = f->slice->new_addr[f->new_addr];
	uint64_t maker = f->slice->size[f->stack];
	uint32_t path = f->slice->path[f->stack];
	struct wm_live_slot *s = wm_live_find(&r->mpi, addr);

	if (s->addr && WM_HANDLE_IS_REFERENCE(maker)) {
		s = add_reference(r, addr);
		if (!s)
			return wm_replay_no_memory(r);
		addr = NUMBERED + r->references;
	} else if (s->addr && !f->alone) {
		return wm_replay_wait(r, addr);
	}
	for (; s->addr; s = wm_live_find(&r->mpi, addr))
		end_reference(r, addr, time);
	wm_replay_mark(r, WM_MARK_HANDLE_MADE, 0, path, maker, time);
	f->new_addr++;
	f->stack++;
	r->handles_made++;
	if (wm_live_put(&r->mpi, s, addr, 0, path))
		return wm_replay_no_memory(r);
	wm_live_set_alloc_time(&r->mpi, s, time);
	return WM_STEP_DONE;
}

/* The handle may be unknown, as the calls also free unrecorded handles. */
enum wm_step wm_replay_handle_freed(struct wm_replay *r, struct wm_feed *f,
				    uint64_t time)
{
	uint64_t addr = f->slice->old_addr[f->old_addr];
	struct wm_live_slot *s = wm_live_find(&r->mpi, addr);

	if (!s->addr && !f->alone)
		return wm_replay_wait(r, addr);
	if (s->addr)
		end_reference(r, addr, time);
	f->old_addr++;
	r->handles_freed++;
	return WM_STEP_DONE;
}
