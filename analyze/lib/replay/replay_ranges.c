/* SPDX-License-Identifier: Apache-2.0 */
/* Replay of mappings, shared memory, breaks and stacks of threads
 * (docs/trace-format.md, 5.7).  These events are rare, and each can make any
 * number of changes. */
#include "analyze/lib/replay/replay.h"

#include <stdbool.h>

#include "analyze/lib/base/vec.h"

/* The number of changes that may wait after a rare event.  The rest of the
 * space is for the common events of its slice, three changes each. */
#define RARE_CHANGES (WM_CHANGES - 3 * WM_SLICE)
#define RARE_MARKS (WM_MARKS - 3 * WM_SLICE)

static enum wm_step change_range(struct wm_replay *r, const struct wm_range *x,
				 uint32_t bit, uint64_t time)
{
	struct wm_changes *c = &r->changes;

	if (c->count >= RARE_CHANGES || c->marks >= RARE_MARKS) {
		r->status = wm_replay_flush(r, &r->why);
		if (r->status)
			return WM_STEP_FAIL;
	}
	if (x->name)
		wm_replay_mark(r, bit ? WM_MARK_ENDED : WM_MARK_MOVED, x->name,
			       x->path, x->end - x->start, time);
	c->family[c->count] = x->family;
	c->who[c->count] = x->path | bit;
	c->addr[c->count] = x->start;
	c->bytes[c->count] = x->end - x->start;
	c->time[c->count] = time;
	c->alloc_time[c->count] = x->alloc_time;
	c->count++;
	return WM_STEP_DONE;
}

/* Adds @x to the ranges of @f's mremap. r->flight[0] begins the free list. */
static enum wm_step take_off(struct wm_replay *r, struct wm_feed *f,
			     const struct wm_range *x)
{
	size_t i = r->flights ? r->flight[0].next : 0;

	if (!i) {
		struct wm_flight *n = WM_ROOM(r->flight, r->flight_cap,
					      r->flights + 2);

		if (!n)
			return wm_replay_no_memory(r);
		if (!r->flights)
			n[r->flights++] = (struct wm_flight){ .next = 0 };
		i = r->flights++;
		n[i].next = 0;
	}
	r->flight[0].next = r->flight[i].next;
	r->flight[i].range = *x;
	r->flight[i].next = f->flight;
	f->flight = i;
	return WM_STEP_DONE;
}

/* Removes the last range of @f's mremap; returns false if none is left. */
static bool take_down(struct wm_replay *r, struct wm_feed *f,
		      struct wm_range *x)
{
	size_t i = f->flight;

	if (!i)
		return false;
	f->flight = r->flight[i].next;
	*x = r->flight[i].range;
	r->flight[i].range.end = 0;
	r->flight[i].next = r->flight[0].next;
	r->flight[0].next = i;
	return true;
}

/* Removes [@start, @end) from range @x; the remaining parts of @x become
 * ranges.  If @f is not NULL, the removed part becomes a range of its mremap,
 * and its bytes stay. */
static enum wm_step cut_one(struct wm_replay *r, const struct wm_range *x,
			    uint64_t start, uint64_t end, struct wm_feed *f,
			    uint64_t time)
{
	struct wm_range whole = *x, part = whole, rest[2];
	size_t n = 0, k;
	enum wm_step s = WM_STEP_DONE;

	if (whole.start < start) {
		rest[n] = whole;
		rest[n++].end = part.start = start;
	}
	if (whole.end > end) {
		rest[n] = whole;
		rest[n++].start = part.end = end;
	}
	wm_ranges_remove(&r->ranges, &whole);
	for (k = 0; k < n; k++)
		if (wm_ranges_put(&r->ranges, &rest[k]))
			return wm_replay_no_memory(r);
	if (f)
		s = take_off(r, f, &part);
	if (f && !n)
		return s;
	if (!s)
		s = change_range(r, &whole, WM_RELEASE, time);
	for (k = 0; k < n && !s; k++)
		s = change_range(r, &rest[k], 0, time);
	if (f && !s)
		s = change_range(r, &part, 0, time);
	return s;
}

static enum wm_step cut_ranges(struct wm_replay *r, uint64_t start,
			       uint64_t end, struct wm_feed *f, uint64_t time)
{
	const struct wm_range *x;
	enum wm_step s = WM_STEP_DONE;

	while (!s && start < end) {
		x = wm_ranges_find(&r->ranges, start);
		if (!x || x->start >= end)
			break;
		s = cut_one(r, x, start, end, f, time);
	}
	return s;
}

static enum wm_step put_range(struct wm_replay *r, const struct wm_range *x)
{
	return wm_ranges_put(&r->ranges, x) ? wm_replay_no_memory(r) :
					      WM_STEP_DONE;
}

/* Returns the end of [@start, @start + @size), but not beyond UINT64_MAX. */
static uint64_t end_of(uint64_t start, uint64_t size)
{
	return size > UINT64_MAX - start ? UINT64_MAX : start + size;
}

/* Releases the ranges of @f's mremap, which has moved them to @x. */
static enum wm_step land_remap(struct wm_replay *r, struct wm_feed *f,
			       uint64_t time, struct wm_range *x)
{
	struct wm_range old;
	enum wm_step s = WM_STEP_DONE;
	bool first = true;

	while (!s && take_down(r, f, &old)) {
		if (first) { /* with the highest address */
			x->family = old.family;
			x->name = old.name;
		}
		first = false;
		s = change_range(r, &old, WM_RELEASE, time);
	}
	return s;
}

/* The mremap calls of real programs do not fail so often. */
static enum wm_step too_often(struct wm_replay *r)
{
	r->status = wm_err_set(&r->why, WM_BAD_INPUT,
			       "%s: calls of mremap "
			       "that failed were given more than %u mappings",
			       r->t->name, WM_RANGES_BACK);
	return WM_STEP_FAIL;
}

enum wm_step wm_replay_range_back(struct wm_replay *r, struct wm_feed *f,
				  uint64_t time)
{
	struct wm_range x;
	enum wm_step s = WM_STEP_DONE;

	f->remaps = false;
	while (!s && take_down(r, f, &x)) {
		if (++r->ranges_back > WM_RANGES_BACK)
			return too_often(r);
		s = cut_ranges(r, x.start, x.end, NULL, time);
		if (!s)
			s = put_range(r, &x);
	}
	return s;
}

static enum wm_step gain_range(struct wm_replay *r, struct wm_feed *f,
			       uint8_t kind, uint64_t time, uint64_t addr)
{
	uint64_t size = f->slice->size[f->stack], end = end_of(addr, size);
	struct wm_range x = {
		.start = addr,
		.end = end,
		.origin = addr,
		.alloc_time = time,
		.path = f->slice->path[f->stack],
		.family = WM_FAMILY_mapped,
	};
	enum wm_step s = WM_STEP_DONE;

	if (!f->alone && wm_ranges_touch(&r->ranges, addr, end))
		return wm_replay_wait(r, addr);
	if (kind == WMT_EV_SHM)
		x.family = WM_FAMILY_shm;
	else if (kind == WMT_EV_THREAD_STACK)
		x.family = WM_FAMILY_stacks;
	else if (kind == WMT_EV_REMAP_IN)
		s = land_remap(r, f, time, &x);
	if (kind == WMT_EV_REMAP_IN) {
		r->tally.unpaired += !f->remaps;
		f->remaps = false;
	}
	if (!s)
		s = cut_ranges(r, addr, end, NULL, time);
	if (!s && end > addr) {
		s = put_range(r, &x);
		if (!s)
			s = change_range(r, &x, 0, time);
		if (!s && f->next_name &&
		    (kind == WMT_EV_MAP || kind == WMT_EV_SHM))
			wm_replay_name_range(r, f,
					     wm_ranges_find(&r->ranges, addr),
					     time);
	}
	f->new_addr++;
	f->stack++;
	return s;
}

static enum wm_step lose_range(struct wm_replay *r, struct wm_feed *f,
			       uint8_t kind, uint64_t time, uint64_t addr)
{
	uint64_t size = f->slice->extra[f->extra], end = end_of(addr, size);
	struct wm_feed *hands = NULL;
	enum wm_step s = WM_STEP_DONE;

	if (!f->alone && size && !wm_ranges_touch(&r->ranges, addr, end))
		return wm_replay_wait(r, addr);
	if (kind == WMT_EV_REMAP_OUT) {
		if (f->remaps) {
			r->tally.unpaired++;
			s = wm_replay_range_back(r, f, time);
		}
		f->remaps = true;
		f->remap_addr = addr;
		hands = f;
	}
	f->old_addr++;
	f->extra++;
	return s ? s : cut_ranges(r, addr, end, hands, time);
}

/* Removes all that is left of the memory that began at @addr. */
static enum wm_step lose_all(struct wm_replay *r, struct wm_feed *f,
			     uint8_t family, uint64_t time, uint64_t addr)
{
	const struct wm_range *x = wm_ranges_of(&r->ranges, addr, family);
	enum wm_step s = WM_STEP_DONE;

	if (!x && !f->alone)
		return wm_replay_wait(r, addr);
	while (x && !s) {
		s = cut_one(r, x, x->start, x->end, NULL, time);
		x = wm_ranges_of(&r->ranges, addr, family);
	}
	f->old_addr++;
	f->extra += family == WM_FAMILY_shm;
	return s;
}

enum wm_step wm_replay_range(struct wm_replay *r, struct wm_feed *f,
			     uint8_t kind, uint64_t time, uint64_t *touched)
{
	const struct wm_operands *o = &wm_operands[kind];
	uint64_t addr = o->fresh ? f->slice->new_addr[f->new_addr] :
				   f->slice->old_addr[f->old_addr];

	*touched = addr;
	if (o->fresh)
		return gain_range(r, f, kind, time, addr);
	if (kind == WMT_EV_THREAD_STACK_GONE)
		return lose_all(r, f, WM_FAMILY_stacks, time, addr);
	if (kind == WMT_EV_SHM_GONE && !f->slice->extra[f->extra])
		return lose_all(r, f, WM_FAMILY_shm, time, addr);
	return lose_range(r, f, kind, time, addr);
}
