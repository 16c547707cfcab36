/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of annotations (docs/trace-format.md 5.3 on, and 5.11). */
#include <stdbool.h>

#include "analyze/lib/replay/replay.h"

/* After a search through so many slots, which takes some seconds, pointers into
 * blocks are not resolved any more. */
#define MAX_SCANNED (1ull << 30)
/* The most bytes before an array, by C++ or by aligning by hand. */
#define NEAR 64

/* Blocks of MPI and of the heap may begin at the same address. */
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

/* Returns the block that begins shortly before @addr and has it, or NULL. */
static struct wm_live_slot *find_near(const struct wm_live *l, uint64_t addr)
{
	struct wm_live_slot *s;

	for (uint64_t d = 1; d <= NEAR && d < addr; d++) {
		s = wm_live_find(l, addr - d);
		if (slot_covers(l, s, addr))
			return s;
	}
	return NULL;
}

static struct wm_live_slot *find_around(struct wm_replay *r,
					const struct wm_live *l, uint64_t addr)
{
	if (r->scanned > MAX_SCANNED)
		return NULL;
	r->scanned += l->mask;
	for (size_t i = 0; i <= l->mask; i++)
		if (slot_covers(l, &l->slot[i], addr))
			return &l->slot[i];
	return NULL;
}

static void tell_start(struct wm_replay *r, uint64_t addr, uint64_t alloc_time)
{
	struct wm_mark *m = &r->changes.mark[r->changes.marks - 1];

	m->span = (struct wm_span){ .start = addr };
	m->since = alloc_time;
}

static enum wm_step name_block(struct wm_replay *r, const struct wm_live *l,
			       struct wm_live_slot *s, uint32_t name,
			       uint64_t time)
{
	uint64_t size = wm_live_size(l, s);

	if (s->path & WM_NAMED) {
		wm_replay_mark(r, WM_MARK_TAKEN,
			       wm_replay_unname(r, l, s->addr), s->path, size,
			       time);
		tell_start(r, s->addr, wm_live_alloc_time(l, s));
	}
	s->path &= ~WM_NAMED;
	if (!name)
		return WM_STEP_DONE;
	wm_replay_mark(r, WM_MARK_GIVEN, name, s->path, size, time);
	tell_start(r, s->addr, wm_live_alloc_time(l, s));
	s->path |= WM_NAMED;
	return wm_replay_name(r, l, s->addr, name);
}

static void name_range(struct wm_replay *r, struct wm_range *x, uint32_t name,
		       uint64_t time)
{
	uint64_t size = x->end - x->start;

	/* memory that is in no peak is in no list of names */
	if (!wm_family_in_peak[x->family])
		return;
	if (x->name) {
		wm_replay_mark(r, WM_MARK_TAKEN, x->name, x->path, size, time);
		tell_start(r, x->start, x->alloc_time);
	}
	x->name = name;
	if (name) {
		wm_replay_mark(r, WM_MARK_GIVEN, name, x->path, size, time);
		tell_start(r, x->start, x->alloc_time);
	}
}

/* Names the block that begins at @addr, or the memory that contains it. */
static enum wm_step name_address(struct wm_replay *r, uint64_t addr,
				 uint32_t name, uint64_t time)
{
	struct wm_live *const table[] = { &r->live, &r->mpi };
	struct wm_range *x = wm_ranges_find(&r->ranges, addr);
	struct wm_live_slot *s = NULL;

	for (size_t i = 0; i < 2 && !s; i++) {
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
	for (size_t i = 0; i < 2; i++) {
		s = find_around(r, table[i], addr);
		if (s)
			return name_block(r, table[i], s, name, time);
	}
	return WM_STEP_DONE;
}

enum wm_step wm_replay_name_next(struct wm_replay *r, struct wm_feed *f,
				 const struct wm_live *l,
				 struct wm_live_slot *s, uint64_t time)
{
	uint32_t name = f->next_name;

	f->next_name = 0;
	return name_block(r, l, s, name, time);
}

void wm_replay_name_range(struct wm_replay *r, struct wm_feed *f,
			  struct wm_range *x, uint64_t time)
{
	name_range(r, x, f->next_name, time);
	f->next_name = 0;
}

/* Returns the new name of a block with the name @is when the word called
 * @holder points at it.  Names that the program gave take precedence. */
static uint32_t name_held(uint32_t is, uint32_t holder)
{
	if (!is || is == holder)
		return holder;
	return is & WM_NAME_HELD ? WM_NAME_SEVERAL : is;
}

/* Called when a word of static memory points at @addr. */
static enum wm_step hold_address(struct wm_replay *r, uint64_t addr,
				 uint32_t holder, uint64_t time)
{
	struct wm_live *const table[] = { &r->live, &r->mpi };
	struct wm_range *x = wm_ranges_find(&r->ranges, addr);

	for (size_t i = 0; i < 2; i++) {
		struct wm_live_slot *s = wm_live_find(table[i], addr);
		uint32_t is = 0, name;

		if (!s->addr)
			continue;
		if (s->path & WM_NAMED)
			is = wm_live_find(&r->names, key_of(r, table[i], addr))
				     ->path;
		name = name_held(is, holder);
		return name == is ? WM_STEP_DONE :
				    name_block(r, table[i], s, name, time);
	}
	if (x && x->start == addr && name_held(x->name, holder) != x->name)
		name_range(r, x, name_held(x->name, holder), time);
	return WM_STEP_DONE;
}

static void tell_span(struct wm_replay *r, int kind, uint32_t name,
		      const struct wm_span *span, uint64_t bytes, uint64_t time)
{
	wm_replay_mark(r, kind, name, 0, bytes, time);
	r->changes.mark[r->changes.marks - 1].span = *span;
}

/* Begins a region, whose parts came in events before its name. */
static void begin_region(struct wm_replay *r, struct wm_feed *f, uint32_t name,
			 uint64_t time)
{
	const struct wm_span *s = &f->said;

	if (name && s->start >= WMT_SAYING_LIMIT && s->bytes &&
	    s->start < WMT_REGION_LIMIT &&
	    s->bytes <= WMT_REGION_LIMIT - s->start && s->element <= s->bytes)
		tell_span(r, WM_MARK_REGION, name, s, 0, time);
	f->said = (struct wm_span){ 0 };
}

static enum wm_step take_saying(struct wm_replay *r, struct wm_feed *f,
				uint64_t what, uint64_t value, uint32_t name,
				uint64_t time)
{
	const struct wm_span at = { .start = value };

	switch (what) {
	case WMT_SAYING_NEXT:
		/* an allocation in a pause has no event */
		f->next_name = r->pausing ? 0 : name;
		break;
	case WMT_SAYING_MARK:
		wm_replay_mark(r, WM_MARK_TEXT, name, 0, 0, time);
		break;
	case WMT_SAYING_REGION_START:
		f->said = at;
		break;
	case WMT_SAYING_REGION_BYTES:
		f->said.bytes = value;
		break;
	case WMT_SAYING_REGION_ELEMENT:
		f->said.element = value;
		break;
	case WMT_SAYING_REGION:
		begin_region(r, f, name, time);
		break;
	case WMT_SAYING_REGION_END:
		tell_span(r, WM_MARK_REGION_END, 0, &at, 0, time);
		break;
	case WMT_SAYING_INITIALIZED:
		wm_replay_mark(r, WM_MARK_INITIALIZED, 0, 0, 0, time);
		break;
	case WMT_SAYING_FINALIZE:
		wm_replay_mark(r, WM_MARK_FINALIZE, 0, 0, 0, time);
		break;
	case WMT_SAYING_PRIVATE_MOST:
		f->private.start = value;
		break;
	case WMT_SAYING_TOUCHED:
		f->private.bytes = value;
		break;
	case WMT_SAYING_SHARED_MORE:
		f->private.element = value;
		break;
	case WMT_SAYING_PRIVATE:
		tell_span(r, WM_MARK_PRIVATE, 0, &f->private, value, time);
		break;
	case WMT_SAYING_HOLDER:
		f->holder = value < WM_NAME_HELD ? name : 0;
		break;
	case WMT_SAYING_HELD:
		if (f->holder)
			return hold_address(r, value, f->holder | WM_NAME_HELD,
					    time);
		break;
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
	uint64_t addr, number = 0;
	uint32_t name = 0;

	if (wm_operands[kind].extra) {
		number = f->slice->extra[f->extra];
		/* a number that is too high has no name */
		name = number < WM_NAME_HELD ? (uint32_t)number :
					       WM_NAME_HELD - 1;
	}
	switch (kind) {
	case WMT_EV_NAME:
		addr = f->slice->old_addr[f->old_addr];
		if (addr < WMT_SAYING_LIMIT) {
			f->old_addr++;
			f->extra++;
			return take_saying(r, f, addr, number, name, time);
		}
		/* another thread may have allocated the block */
		if (!f->alone && !is_known(r, addr))
			return wm_replay_wait(r, addr);
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
		r->paused = r->pausing = true;
		wm_replay_mark(r, WM_MARK_PAUSE, 0, 0, 0, time);
		break;
	case WMT_EV_RESUME:
		r->pausing = false;
		wm_replay_mark(r, WM_MARK_RESUME, 0, 0, 0, time);
		break;
	}
	return WM_STEP_DONE;
}
