/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

#define rare(x) __builtin_expect(!!(x), 0)

/* The most changes of an event: a conflict, the old block, the new block, and
 * the new block's immediate end.  Each change may have a mark. */
#define CHANGES_PER_EVENT 4
#define MARKS_PER_EVENT 4
/* A smaller table fits into the second-level cache anyway. */
#define PREFETCH_SLOTS (1u << 15)

enum wm_status wm_replay_init(struct wm_replay *r, struct wm_passes *passes,
			      const struct wm_trace *t, uint64_t skew,
			      struct wm_err *err)
{
	memset(r, 0, sizeof(*r));
	r->t = t;
	r->most = wm_live_bound(t->src.size, passes->max_blocks);
	r->plenty = wm_live_plenty(t->src.size, passes->max_blocks);
	r->passes = passes;
	r->skew = skew;
	if (skew) {
		r->recent = calloc(WM_RECENT, sizeof(*r->recent));
		if (!r->recent)
			return wm_no_memory(err, NULL);
		wm_bound_init(&r->bound);
	}
	if (wm_live_init(&r->live) || wm_live_init(&r->mpi) ||
	    wm_live_init(&r->links) || wm_live_init(&r->names) ||
	    wm_live_init(&r->waiting) ||
	    (passes->alloc_times && (wm_live_want_alloc_times(&r->live) ||
				     wm_live_want_alloc_times(&r->mpi))))
		return wm_no_memory(err, NULL);
	return WM_OK;
}

void wm_replay_release(struct wm_replay *r)
{
	wm_live_release(&r->live);
	wm_live_release(&r->mpi);
	wm_live_release(&r->links);
	wm_live_release(&r->names);
	wm_live_release(&r->waiting);
	wm_ranges_release(&r->ranges);
	free(r->flight);
	free(r->recent);
	free(r->halfway);
}

void wm_replay_expect(const struct wm_replay *r, struct wm_cursor *c)
{
	c->slots = r->live.mask < PREFETCH_SLOTS ? NULL : r->live.slot;
	c->shift_slots = r->live.shift;
}

static inline void emit_change(struct wm_replay *r, uint8_t family,
			       uint32_t who, uint64_t addr, uint64_t bytes,
			       uint64_t time)
{
	struct wm_changes *c = &r->changes;

	c->who[c->count] = who;
	c->addr[c->count] = addr;
	c->bytes[c->count] = bytes;
	c->time[c->count] = time;
	c->family[c->count] = family;
	c->count++;
}

static inline enum wm_family family_of(const struct wm_replay *r,
				       const struct wm_live *l)
{
	return l == &r->mpi ? WM_FAMILY_mpi : WM_FAMILY_heap;
}

static inline void release_slot(struct wm_replay *r, struct wm_live *l,
				struct wm_live_slot *s, uint64_t time)
{
	uint32_t path = s->path;
	uint64_t size = wm_live_take_size(l, s);

	if (rare(path & WM_NAMED))
		wm_replay_mark(r, WM_MARK_ENDED,
			       wm_replay_unname(r, l, s->addr), path, size,
			       time);
	if (l->alloc_time)
		r->changes.alloc_time[r->changes.count] = wm_live_alloc_time(l,
									     s);
	emit_change(r, family_of(r, l), path | WM_RELEASE, s->addr, size, time);
	wm_live_erase(l, s);
}

static inline struct wm_early *recent_of(const struct wm_replay *r,
					 uint64_t addr)
{
	return &r->recent[(addr >> 4) & (WM_RECENT - 1)];
}

static bool is_near(const struct wm_replay *r, uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) <= r->skew;
}

/* Called when no block was found for a release at @time.  Returns true if
 * another release has just ended the block: the next block at @addr must then
 * be ended for that other release. */
static bool take_over(struct wm_replay *r, uint64_t addr, uint64_t time)
{
	struct wm_early *e;

	if (!r->recent)
		return false;
	e = recent_of(r, addr);
	if (e->addr != addr || !is_near(r, e->time, time) ||
	    r->debts == WM_DEBTS)
		return false;
	r->debt[r->debts++] = *e;
	e->addr = 0;
	return true;
}

/* After a pause, the block may have been allocated without an event. */
static void count_unknown(struct wm_replay *r)
{
	if (r->paused)
		r->tally.unrecorded++;
	else
		r->tally.unknown_free++;
}

void wm_replay_settle(struct wm_replay *r)
{
	/* the expected block may have come */
	for (unsigned i = 0; r->tally.stray.owed && i < r->debts; i++)
		r->tally.stray.owed = r->debt[i].addr != r->tally.stray.addr;
	if (r->tally.stray.owed)
		r->tally.stray.addr = 0;
	for (; r->debts; r->debts--)
		count_unknown(r);
}

/* Returns whether the block that begins at @addr was released already. */
static bool pay_debt(struct wm_replay *r, uint64_t addr, uint64_t time)
{
	for (unsigned i = 0; i < r->debts; i++) {
		struct wm_early e = r->debt[i];

		if (is_near(r, e.time, time) && e.addr != addr)
			continue;
		r->debt[i--] = r->debt[--r->debts];
		if (e.addr == addr && is_near(r, e.time, time))
			return true;
		count_unknown(r);
	}
	return false;
}

/* Ends the block at @s, which was released without an event. */
static struct wm_live_slot *evict_block(struct wm_replay *r, struct wm_live *l,
					struct wm_live_slot *s, uint64_t time)
{
	uint64_t addr = s->addr;

	r->tally.conflicts++;
	release_slot(r, l, s, time);
	return wm_live_find(l, addr);
}

static enum wm_step keep_name(struct wm_replay *r, struct wm_pending *p,
			      uint64_t addr)
{
	uint32_t name = p->name;

	p->name = 0;
	return wm_replay_name(r, &r->live, addr, name);
}

/* Returns the bytes that the call which failed was to replace. */
static uint64_t to_replace(const struct wm_replay *r, const struct wm_feed *f)
{
	uint64_t bytes = 0;

	if (f->pending.state)
		return f->pending.state == WM_PENDING_KNOWN ? f->pending.size :
							      0;
	for (size_t i = f->remaps ? f->flight : 0; i; i = r->flight[i].next)
		bytes += r->flight[i].range.end - r->flight[i].range.start;
	return bytes;
}

/* Puts a block in flight back to its address: realloc did not change it. */
static enum wm_step put_back(struct wm_replay *r, struct wm_feed *f,
			     uint64_t time)
{
	struct wm_pending *p = &f->pending;
	struct wm_live_slot *s;
	bool known = p->state == WM_PENDING_KNOWN;

	if (!p->state && f->remaps)
		return wm_replay_range_back(r, f, time);
	p->state = WM_PENDING_NONE;
	if (!known)
		return WM_STEP_DONE;
	s = wm_live_find(&r->live, p->addr);
	if (s->addr)
		s = evict_block(r, &r->live, s, time);
	if (wm_live_put(&r->live, s, p->addr, p->size, p->path))
		return wm_replay_no_memory(r);
	wm_live_set_alloc_time(&r->live, s, p->alloc_time);
	return rare(p->name != 0) ? keep_name(r, p, p->addr) : WM_STEP_DONE;
}

static void take_out(struct wm_replay *r, struct wm_feed *f,
		     struct wm_live_slot *s)
{
	struct wm_pending *p = &f->pending;

	p->path = s->path;
	p->addr = s->addr;
	p->size = wm_live_take_size(&r->live, s);
	p->alloc_time = wm_live_alloc_time(&r->live, s);
	p->state = WM_PENDING_KNOWN;
	if (rare(p->path & WM_NAMED))
		p->name = wm_replay_unname(r, &r->live, p->addr);
	wm_live_erase(&r->live, s);
}

static void finish_realloc(struct wm_replay *r, struct wm_feed *f,
			   uint64_t time)
{
	struct wm_pending *p = &f->pending;

	if (rare(p->name != 0))
		wm_replay_mark(r, WM_MARK_ENDED, p->name, p->path, p->size,
			       time);
	if (p->state == WM_PENDING_KNOWN) {
		r->changes.alloc_time[r->changes.count] = p->alloc_time;
		emit_change(r, WM_FAMILY_heap, p->path | WM_RELEASE, p->addr,
			    p->size, time);
	} else if (p->state == WM_PENDING_NONE) {
		r->tally.unpaired++;
	}
	p->state = WM_PENDING_NONE;
}

static bool is_successor(uint8_t kind)
{
	return kind == WMT_EV_REALLOC_IN || kind == WMT_EV_REALLOC_GONE ||
	       kind == WMT_EV_FAILED;
}

static bool is_waited_for(const struct wm_replay *r, uint64_t addr)
{
	return addr && wm_live_find(&r->waiting, addr)->addr;
}

/* Handles the release of an unknown block; returns true if it must wait. */
static bool release_unknown(struct wm_replay *r, struct wm_feed *f,
			    uint64_t addr, uint8_t kind)
{
	uint64_t time = f->slice->time[f->event];

	if (!f->alone) {
		r->addr = addr;
		return true;
	}
	if (kind != WMT_EV_MPI_FREE) {
		f->stray = (struct wm_stray){ addr, time, f->thread, kind,
					      false };
		f->stray_event = f->event;
	}
	if (kind == WMT_EV_FREE && take_over(r, addr, time)) {
		f->stray.owed = true;
		return false;
	}
	count_unknown(r);
	if (kind == WMT_EV_REALLOC_OUT)
		f->pending.state = WM_PENDING_UNKNOWN;
	return false;
}

static inline enum wm_step release_event(struct wm_replay *r, struct wm_live *l,
					 struct wm_feed *f, uint8_t kind,
					 uint64_t time)
{
	uint64_t addr = f->slice->old_addr[f->old_addr];
	struct wm_live_slot *s = wm_live_find(l, addr);

	if (rare(!s->addr)) {
		if (release_unknown(r, f, addr, kind))
			return WM_STEP_WAIT;
	} else if (kind != WMT_EV_REALLOC_OUT) {
		release_slot(r, l, s, time);
		if (r->recent && kind == WMT_EV_FREE)
			*recent_of(r, addr) = (struct wm_early){ addr, time };
	} else {
		take_out(r, f, s);
	}
	f->old_addr++;
	return WM_STEP_DONE;
}

static inline enum wm_step gain_event(struct wm_replay *r, struct wm_live *l,
				      struct wm_feed *f, uint8_t kind,
				      uint64_t time)
{
	const struct wm_slice *sl = f->slice;
	uint64_t addr = sl->new_addr[f->new_addr];
	uint64_t size = sl->size[f->stack];
	uint32_t path = sl->path[f->stack], named = 0;
	struct wm_live_slot *s = wm_live_find(l, addr);

	if (rare(s->addr)) {
		if (!f->alone)
			return wm_replay_wait(r, addr);
		s = evict_block(r, l, s, time);
	}
	if (kind == WMT_EV_REALLOC_IN) {
		struct wm_changes *c = &r->changes;

		if (f->pending.state == WM_PENDING_KNOWN)
			c->move[c->moves++] = (uint16_t)(c->count + 1);
		finish_realloc(r, f, time);
		if (rare(f->pending.name != 0)) {
			/* the mark comes first: the block may make a peak */
			wm_replay_mark(r, WM_MARK_MOVED, f->pending.name, path,
				       size, time);
			c->mark[c->marks - 1].span.start = addr;
			if (keep_name(r, &f->pending, addr))
				return WM_STEP_FAIL;
			named = WM_NAMED;
		}
	}
	emit_change(r, family_of(r, l), path, addr, size, time);
	f->new_addr++;
	f->stack++;
	if (wm_live_put(l, s, addr, size, path | named))
		return wm_replay_no_memory(r);
	wm_live_set_alloc_time(l, s, time);
	if (rare(f->next_name != 0) && kind != WMT_EV_REALLOC_IN &&
	    wm_replay_name_next(r, f, l, s, time))
		return WM_STEP_FAIL;
	if (rare(r->debts) && pay_debt(r, addr, time))
		release_slot(r, l, wm_live_find(l, addr), time);
	return WM_STEP_DONE;
}

static enum wm_step too_many(struct wm_replay *r)
{
	r->status = wm_err_set(&r->why, WM_BAD_INPUT,
			       "%s: more than %" PRIu64 " blocks are alive at "
			       "one time, too many for a file of %" PRIu64 " "
			       "bytes; --max-blocks N lifts this bound",
			       r->t->name, r->most, r->t->src.size);
	return WM_STEP_FAIL;
}

/* Makes space for all changes that @events events can make.  Inlined, it would
 * take registers from the loop of plain_events(). */
static __attribute__((noinline)) enum wm_step make_room(struct wm_replay *r,
							unsigned events)
{
	if (r->changes.count + events * CHANGES_PER_EVENT > WM_CHANGES ||
	    r->changes.marks + events * MARKS_PER_EVENT > WM_MARKS) {
		r->status = wm_replay_flush(r, &r->why);
		if (r->status)
			return WM_STEP_FAIL;
	}
	if (rare(r->live.count + r->mpi.count + r->names.count +
			 WM_RANGE_BLOCKS * (r->ranges.count + r->flights) >
		 r->most))
		return too_many(r);
	if (wm_live_reserve(&r->live, 2 * (size_t)events) ||
	    wm_live_reserve(&r->mpi, 2 * (size_t)events))
		return wm_replay_no_memory(r);
	return WM_STEP_DONE;
}

static void pass_over(struct wm_feed *f, uint8_t kind)
{
	const struct wm_operands *o = &wm_operands[kind];

	f->stack += o->stack;
	f->new_addr += o->fresh;
	f->old_addr += o->old;
	f->extra += o->extra;
}

/* Replays one event, and stores its address or 0 in *@touched. */
static inline enum wm_step one_event(struct wm_replay *r, struct wm_feed *f,
				     uint64_t *touched)
{
	uint8_t kind = f->slice->kind[f->event];
	uint64_t time = f->slice->time[f->event];

	if (rare(f->pending.state) && !is_successor(kind)) {
		enum wm_step s = put_back(r, f, time);

		r->tally.unpaired++;
		if (s)
			return s;
	}
	switch (kind) {
	case WMT_EV_FREE:
	case WMT_EV_DELETE:
	case WMT_EV_REALLOC_OUT:
		*touched = f->slice->old_addr[f->old_addr];
		return release_event(r, &r->live, f, kind, time);
	case WMT_EV_MPI_FREE:
		*touched = f->slice->old_addr[f->old_addr];
		if (rare(wmt_is_handle(*touched)))
			return wm_replay_handle_freed(r, f, time);
		return release_event(r, &r->mpi, f, kind, time);
	case WMT_EV_FAILED:
		*touched = f->pending.state == WM_PENDING_KNOWN ?
				   f->pending.addr :
			   f->remaps ? f->remap_addr :
				       0;
		wm_replay_mark(r, WM_MARK_FAILED, 0, f->slice->path[f->stack],
			       f->slice->size[f->stack], time);
		r->changes.mark[r->changes.marks - 1].span.bytes =
			to_replace(r, f);
		f->stack++;
		return put_back(r, f, time);
	case WMT_EV_REALLOC_GONE:
		*touched = 0;
		finish_realloc(r, f, time);
		f->pending.name = 0;
		return WM_STEP_DONE;
	case WMT_EV_MALLOC:
	case WMT_EV_CALLOC:
	case WMT_EV_REALLOC_IN:
	case WMT_EV_REALLOC_NEW:
	case WMT_EV_ALIGNED:
	case WMT_EV_NEW:
		*touched = f->slice->new_addr[f->new_addr];
		return gain_event(r, &r->live, f, kind, time);
	case WMT_EV_MPI_ALLOC:
		*touched = f->slice->new_addr[f->new_addr];
		if (rare(wmt_is_handle(*touched)))
			return wm_replay_handle_made(r, f, time);
		return gain_event(r, &r->mpi, f, kind, time);
	case WMT_EV_MAP:
	case WMT_EV_UNMAP:
	case WMT_EV_REMAP_OUT:
	case WMT_EV_REMAP_IN:
	case WMT_EV_SHM:
	case WMT_EV_SHM_GONE:
	case WMT_EV_THREAD_STACK:
	case WMT_EV_THREAD_STACK_GONE:
	case WMT_EV_BREAK_UP:
	case WMT_EV_BREAK_DOWN:
		return wm_replay_range(r, f, kind, time, touched);
	case WMT_EV_PHASE:
	case WMT_EV_NAME:
	case WMT_EV_SNAPSHOT:
	case WMT_EV_PAUSE:
	case WMT_EV_RESUME:
		*touched = 0;
		return wm_replay_mark_event(r, f, kind, time);
	default:
		*touched = 0;
		pass_over(f, kind);
		return WM_STEP_DONE;
	}
}

/* The gains that plain_events() handles: they only add a block. */
#define FRESH                                                                  \
	(1u << WMT_EV_MALLOC | 1u << WMT_EV_CALLOC | 1u << WMT_EV_ALIGNED |    \
	 1u << WMT_EV_NEW | 1u << WMT_EV_REALLOC_NEW)
_Static_assert(WMT_EV_LIMIT <= 32, "kinds fit into a set");

/* Replays events that need only the table of live blocks, one change each.
 * Stops at the first event that needs more, or at @to. */
static inline __attribute__((always_inline)) void
plain_events(struct wm_replay *r, struct wm_feed *f, unsigned to, bool times)
{
	const struct wm_slice *sl = f->slice;
	struct wm_changes *c = &r->changes;
	struct wm_live live = r->live;
	unsigned first = f->event, i, stack = f->stack, n;
	const uint64_t *fresh = sl->new_addr + f->new_addr;
	const uint64_t *old = sl->old_addr + f->old_addr;
	uint32_t *who = c->who + c->count - first;
	uint64_t *bytes = c->bytes + c->count - first;
	uint64_t *alloc_time = c->alloc_time + c->count - first;

	live.alloc_time = times ? live.alloc_time : NULL;
	for (i = first; i < to; i++) {
		unsigned kind = sl->kind[i];
		struct wm_live_slot *s;
		uint64_t size;

		if (kind == WMT_EV_FREE || kind == WMT_EV_DELETE) {
			s = wm_live_find(&live, *old);
			if (rare(!s->addr || s->size == WM_LIVE_BIG ||
				 s->path & WM_NAMED))
				break;
			who[i] = s->path | WM_RELEASE;
			bytes[i] = s->size;
			if (times)
				alloc_time[i] = wm_live_alloc_time(&live, s);
			wm_live_erase(&live, s);
			old++;
			continue;
		}
		if (rare(!(FRESH >> kind & 1)))
			break;
		s = wm_live_find(&live, *fresh);
		size = sl->size[stack];
		if (rare(s->addr || size >= WM_LIVE_BIG))
			break;
		who[i] = s->path = sl->path[stack++];
		bytes[i] = size;
		s->addr = *fresh++;
		s->size = (uint32_t)size;
		wm_live_set_alloc_time(&live, s, sl->time[i]);
		live.count++;
	}
	n = i - first;
	memset(c->family + c->count, WM_FAMILY_heap, n);
	memcpy(c->time + c->count, sl->time + first, n * sizeof(*c->time));
	c->count += n;
	r->live.count = live.count;
	f->event = i;
	f->stack = stack;
	f->new_addr = (unsigned)(fresh - sl->new_addr);
	f->old_addr = (unsigned)(old - sl->old_addr);
}

/* Returns whether plain_events() can do all that such an event needs. */
static inline bool is_plain(const struct wm_replay *r, const struct wm_feed *f)
{
	return f->alone && !r->recent && !r->debts && !r->passes->addresses &&
	       f->pending.state == WM_PENDING_NONE && !f->next_name;
}

static enum wm_step tell_why(const struct wm_replay *r, struct wm_err *err)
{
	if (err)
		*err = r->why;
	return WM_STEP_FAIL;
}

enum wm_step wm_replay_events(struct wm_replay *r, struct wm_feed *f,
			      unsigned to, struct wm_err *err)
{
	enum wm_step s = make_room(r, to - f->event);
	uint64_t touched;

	if (s == WM_STEP_FAIL)
		return tell_why(r, err);
	if (r->passes->addresses)
		wm_replay_turn(r, f->thread);
	while (f->event < to) {
		if (is_plain(r, f)) {
			if (r->live.alloc_time)
				plain_events(r, f, to, true);
			else
				plain_events(r, f, to, false);
			if (f->event == to)
				break;
		}
		s = one_event(r, f, &touched);
		if (rare(s))
			return s == WM_STEP_WAIT ? s : tell_why(r, err);
		f->event++;
		if (r->recent)
			wm_bound_event(&r->bound, &f->bound, &r->changes);
		if (rare(r->waiting.count) && is_waited_for(r, touched)) {
			r->addr = touched;
			return WM_STEP_WAKE;
		}
	}
	return WM_STEP_DONE;
}
