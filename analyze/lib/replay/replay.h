/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay: events become changes of live memory (docs/trace-format.md, 4.2 and
 * 5).
 *
 * At each address, allocations and releases alternate.  An event that
 * contradicts the live memory may only have come too early: replay stops before
 * this event with WM_STEP_WAIT, and the merge replays other threads first.  If
 * that does not help (feed->alone), the event is forced and counted as an
 * anomaly.
 *
 * While realloc moves a block, or mremap moves a range, the block or range has
 * left its address, but its bytes stay until the call is over.  Then the new
 * block or range replaces the old one at once.
 *
 * A mapping may be on top of other mappings and replaces the parts that it
 * covers; munmap removes parts.  So a mapping on top of another, or an
 * unmapping of nothing, waits like an event that contradicts the live memory,
 * but is not an anomaly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/bound.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/replay/ranges.h"
#include "analyze/lib/replay/tally.h"
#include "analyze/lib/trace/decode.h"
#include "analyze/lib/trace/live.h"

/* A realloc between REALLOC_OUT and the event that follows. */
struct wm_pending {
	enum {
		WM_PENDING_NONE,
		WM_PENDING_UNKNOWN, /* the block was never allocated */
		WM_PENDING_KNOWN,
	} state;
	uint32_t path; /* perhaps with WM_NAMED */
	uint64_t addr, size, alloc_time;
	uint32_t name;
};

/* In wm_live_slot.path: the block has a name.  This bit is also WM_RELEASE, so
 * that a release of the block need not clear it. */
#define WM_NAMED WM_RELEASE

/* The state of one thread within its slice. */
struct wm_feed {
	const struct wm_slice *slice;
	unsigned event, stack, new_addr, old_addr, extra;
	uint32_t thread;
	bool alone; /* events do not wait for other threads */
	struct wm_pending pending;
	bool remaps; /* mremap of the ranges at remap_addr has begun */
	uint64_t remap_addr;
	size_t flight; /* first range of mremap in wm_replay.flight; 0: none */
	uint32_t next_name; /* name of the block allocated next; 0: none */
	struct wm_span said; /* a region that is not complete yet */
	struct wm_span private; /* for the next mark PRIVATE */
	uint32_t holder; /* name of the last reported word; 0: none */
	struct wm_bound_thread bound;
	struct wm_stray stray; /* in the slice, at event stray_event */
	unsigned stray_event;
	uint64_t last_time; /* of the last event of the slice before */
};

enum wm_step {
	WM_STEP_DONE = 0,
	WM_STEP_WAIT, /* the next event contradicts r->addr */
	WM_STEP_WAKE, /* a thread waited for the address r->addr */
	WM_STEP_FAIL, /* r->status is the error, r->why its text */
};

struct wm_flight {
	struct wm_range range; /* its end is 0: unused */
	size_t next; /* next in the list; 0: none */
};
/* The most parts of ranges that failed calls of mremap may have taken. */
#define WM_RANGES_BACK 10000000u
/* A range is larger than a block, and counts as so many blocks in r->most. */
#define WM_RANGE_BLOCKS 4

/* A release may be stamped too early, as the processor reads the counter before
 * it has the pointer.  Such a release may have found an earlier block at the
 * same address, and ended that block.  The release of the earlier block then
 * finds no block, and the next block at the address must be ended for the early
 * release.  This is a debt. */
struct wm_early {
	uint64_t addr, time; /* of a recent release, or of a debt */
};
#define WM_RECENT 4096 /* power of two */
#define WM_DEBTS 16

struct wm_replay {
	struct wm_live live;
	struct wm_live mpi; /* blocks of MPI, and its handles */
	struct wm_live links; /* references to groups, see replay_handles.c */
	uint64_t references;
	struct wm_live names;
	struct wm_ranges ranges;
	struct wm_flight *flight;
	size_t flights, flight_cap;
	uint64_t ranges_back;
	struct wm_pending *halfway; /* reallocs that the trace ends in */
	size_t halfway_count, halfway_cap;
	struct wm_changes changes;
	uint64_t batches;
	struct wm_passes *passes;
	const struct wm_trace *t;
	uint64_t most; /* the most blocks alive, with their names and ranges */
	uint64_t plenty; /* for other bounds: not below the default */
	uint64_t addr;
	struct wm_live waiting; /* addresses that threads wait for */
	enum wm_status status;
	struct wm_err why;

	uint64_t skew; /* ticks by which stamps may differ; 0: one thread */
	struct wm_early *recent; /* by address; NULL: one thread */
	struct wm_early debt[WM_DEBTS];
	unsigned debts;
	struct wm_bound bound;

	/* events about handles of MPI, which are no memory */
	uint64_t handles_made, handles_freed;
	struct wm_tally tally;
	bool paused; /* the program has paused at least once */
	bool pausing; /* the program has not resumed */
	uint64_t scanned; /* slots searched for names inside blocks */
};

/* @skew: ticks by which the stamps of threads may differ; 0: one thread. */
enum wm_status wm_replay_init(struct wm_replay *r, struct wm_passes *passes,
			      const struct wm_trace *t, uint64_t skew,
			      struct wm_err *err);
void wm_replay_release(struct wm_replay *r);

enum wm_step wm_replay_events(struct wm_replay *r, struct wm_feed *f,
			      unsigned to, struct wm_err *err);
/* Lets @c prefetch the slots for the addresses of the next slice. */
void wm_replay_expect(const struct wm_replay *r, struct wm_cursor *c);
/* Ends the slice of @f; forgets a stray release unless it is the last event. */
void wm_replay_slice_done(struct wm_feed *f);
/* Called when @f has no more events.  Returns -1 without memory. */
int wm_replay_end(struct wm_replay *r, struct wm_feed *f);
/* Gives the live blocks to the passes, after all events and changes. */
void wm_replay_left(const struct wm_replay *r);
/* Counts releases that still wait for a block of their own as unknown. */
void wm_replay_settle(struct wm_replay *r);

/* replay_changes.c: gives the waiting changes to the passes. */
enum wm_status wm_replay_flush(struct wm_replay *r, struct wm_err *err);
void wm_replay_mark(struct wm_replay *r, int kind, uint32_t name, uint32_t path,
		    uint64_t bytes, uint64_t time);

/* Thread number @thread makes all changes from now on. */
void wm_replay_turn(struct wm_replay *r, uint32_t thread);

/* Lets the event wait for another thread that touches @addr. */
static inline enum wm_step wm_replay_wait(struct wm_replay *r, uint64_t addr)
{
	r->addr = addr;
	return WM_STEP_WAIT;
}

enum wm_step wm_replay_no_memory(struct wm_replay *r);

/* replay_ranges.c: replays the next event of @f, which is about a range. */
enum wm_step wm_replay_range(struct wm_replay *r, struct wm_feed *f,
			     uint8_t kind, uint64_t time, uint64_t *touched);
enum wm_step wm_replay_range_back(struct wm_replay *r, struct wm_feed *f,
				  uint64_t time);

/* replay_handles.c: replays the next event of @f, about a handle of MPI. */
enum wm_step wm_replay_handle_made(struct wm_replay *r, struct wm_feed *f,
				   uint64_t time);
enum wm_step wm_replay_handle_freed(struct wm_replay *r, struct wm_feed *f,
				    uint64_t time);

/* replay_marks.c: the program's annotations.  The slot of a block with a name
 * has the bit WM_NAMED; the name is in wm_replay.names. */
/* Replays the next event of @f, of a @kind from PHASE to RESUME. */
enum wm_step wm_replay_mark_event(struct wm_replay *r, struct wm_feed *f,
				  uint8_t kind, uint64_t time);
/* Removes the name of the block at @addr in @l and returns it, or 0. */
uint32_t wm_replay_unname(struct wm_replay *r, const struct wm_live *l,
			  uint64_t addr);
enum wm_step wm_replay_name(struct wm_replay *r, const struct wm_live *l,
			    uint64_t addr, uint32_t name);
/* Names the block at @s of @l, or the range @x, which @f has just made. */
enum wm_step wm_replay_name_next(struct wm_replay *r, struct wm_feed *f,
				 const struct wm_live *l,
				 struct wm_live_slot *s, uint64_t time);
void wm_replay_name_range(struct wm_replay *r, struct wm_feed *f,
			  struct wm_range *x, uint64_t time);
