/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of what programs say of themselves (docs/trace-format.md 5.3 on). */
#include <stdbool.h>

#include "analyze/replay/replay.h"

/* Where nobody looks for a pointer into a block any more: seconds of it. */
#define MAX_SCANNED (1ull << 30)
/* What C++ puts before an array, and what aligning by hand may add. */
#define NEAR 64

/* Blocks of MPI may begin where blocks of the heap do. */
static uint64_t key_of(const struct wm_replay *r, const struct wm_live *l,
		       uint64_t addr)
{
	return l == &r->mpi ? addr | 1ull << 63 : addr;
}

uint32_t wm_replay_unname(struct wm_replay *r, const struct wm_live *l,
			  uint64_t addr)
{
	struct wm_live_slot *s = wm_live_find(&r->names, key_of(r, l, addr));
	uint32_t name = s->path;

	if (!s->addr)
		return 0;
	wm_live_erase(&r->names, s);
	return name;
}

enum wm_step wm_replay_name(struct wm_replay *r, const struct wm_live *l,
			    uint64_t addr, uint32_t name)
{
	struct wm_live_slot *s;

	if (wm_live_reserve(&r->names, 1))
		return wm_replay_no_memory(r);
	addr = key_of(r, l, addr);
	s = wm_live_find(&r->names, addr);
	if (wm_live_put(&r->names, s, addr, 0, name))
		return wm_replay_no_memory(r);
	return WM_STEP_DONE;
}

static bool slot_covers(const struct wm_live *l, const struct wm_live_slot *s,
			uint64_t addr)
{
	return s->addr && addr >= s->addr &&
	       addr - s->addr < wm_live_size(l, s);
}

/* The block in @l that begins shortly before @addr and covers it, or NULL. */
static struct wm_live_slot *find_near(const struct wm_live *l, uint64_t addr)
{
	struct wm_live_slot *s;
	uint64_t d;

	for (d = 1; d <= NEAR && d < addr; d++) {
		s = wm_live_find(l, addr - d);
		if (slot_covers(l, s, addr))
			return s;
	}
	return NULL;
}

static struct wm_live_slot *find_around(struct wm_replay *r,
					const struct wm_live *l, uint64_t addr)
{
	size_t i;

	if (r->scanned > MAX_SCANNED)
		return NULL;
	r->scanned += l->mask;
	for (i = 0; i <= l->mask; i++)
		if (slot_covers(l, &l->slot[i], addr))
			return &l->slot[i];
	return NULL;
}

static enum wm_step name_block(struct wm_replay *r, const struct wm_live *l,
			       struct wm_live_slot *s, uint32_t name,
			       uint64_t time)
{
	uint64_t size = wm_live_size(l, s);

	if (s->path & WM_NAMED)
		wm_replay_mark(r, WM_MARK_TAKEN,
			       wm_replay_unname(r, l, s->addr), s->path, size,
			       time);
	s->path &= ~WM_NAMED;
	if (!name)
		return WM_STEP_DONE;
	wm_replay_mark(r, WM_MARK_GIVEN, name, s->path, size, time);
	s->path |= WM_NAMED;
	return wm_replay_name(r, l, s->addr, name);
}

static void name_range(struct wm_replay *r, struct wm_range *x, uint32_t name,
		       uint64_t time)
{
	uint64_t size = x->end - x->start;

	/* what is in no peak is in no list of names */
	if (!wm_family_in_peak[x->family])
		return;
	if (x->name)
		wm_replay_mark(r, WM_MARK_TAKEN, x->name, x->path, size, time);
	x->name = name;
	if (name)
		wm_replay_mark(r, WM_MARK_GIVEN, name, x->path, size, time);
}

/* The block that begins at @addr, or else what covers it. */
static enum wm_step name_address(struct wm_replay *r, uint64_t addr,
				 uint32_t name, uint64_t time)
{
	struct wm_live *const table[] = { &r->live, &r->mpi };
	struct wm_range *x = wm_ranges_find(&r->ranges, addr);
	struct wm_live_slot *s = NULL;
	size_t i;

	for (i = 0; i < 2 && !s; i++) {
		s = wm_live_find(table[i], addr);
		if (!s->addr)
			s = find_near(table[i], addr);
		if (s)
			return name_block(r, table[i], s, name, time);
	}
	if (x && x->start <= addr) {
		name_range(r, x, name, time);
		return WM_STEP_DONE;
	}
	for (i = 0; i < 2; i++) {
		s = find_around(r, table[i], addr);
		if (s)
			return name_block(r, table[i], s, name, time);
	}
	return WM_STEP_DONE;
}

static bool is_known(const struct wm_replay *r, uint64_t addr)
{
	return wm_live_find(&r->live, addr)->addr ||
	       wm_live_find(&r->mpi, addr)->addr ||
	       wm_ranges_touch(&r->ranges, addr, addr + 1);
}

enum wm_step wm_replay_mark_event(struct wm_replay *r, struct wm_feed *f,
				  uint8_t kind, uint64_t time)
{
	uint32_t name = 0;
	uint64_t addr;

	if (wm_operands[kind].extra) {
		uint64_t number = f->slice->extra[f->extra];

		name = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	}
	switch (kind) {
	case WMT_EV_NAME:
		addr = f->slice->old_addr[f->old_addr];
		if (!f->alone && !is_known(r, addr)) {
			/* another thread may still have to allocate it */
			r->addr = addr;
			return WM_STEP_WAIT;
		}
		f->old_addr++;
		f->extra++;
		return name_address(r, addr, name, time);
	case WMT_EV_PHASE:
		wm_replay_mark(r, WM_MARK_PHASE, name, 0, 0, time);
		f->extra++;
		break;
	case WMT_EV_SNAPSHOT:
		wm_replay_mark(r, WM_MARK_SNAPSHOT, name, 0, 0, time);
		f->extra++;
		break;
	case WMT_EV_PAUSE:
		r->paused = true;
		wm_replay_mark(r, WM_MARK_PAUSE, 0, 0, 0, time);
		break;
	case WMT_EV_RESUME:
		wm_replay_mark(r, WM_MARK_RESUME, 0, 0, 0, time);
		break;
	}
	return WM_STEP_DONE;
}
