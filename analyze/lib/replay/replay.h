/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay: events become changes of live memory
 * (docs/trace-format.md sections 4.2 and 5).
 *
 * At each address an allocation and its release alternate.  An event that
 * contradicts what is alive may only be early: replay stops before it with
 * WM_STEP_WAIT, and the merge lets other threads go first.  When nothing comes
 * (feed->alone), the event is forced and counted as an anomaly.
 *
 * A block in the hands of realloc, or a range in those of mremap, has left its
 * address, but its bytes stay until the call is over; then old and new change
 * places at once.
 *
 * Ranges are no blocks: a mapping may lie on top of others and replaces what
 * it covers, and munmap takes parts.  So a mapping on top of another, or an
 * unmapping of nothing, waits like a contradiction, but is none.
 */
#ifndef WM_ANALYZE_REPLAY_H
#define WM_ANALYZE_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/bound.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/replay/ranges.h"
#include "analyze/lib/replay/stray.h"
#include "analyze/lib/trace/decode.h"
#include "analyze/lib/trace/live.h"

/* A realloc or mremap between OUT and its successor. */
struct wm_pending {
	enum {
		WM_PENDING_NONE,
		WM_PENDING_UNKNOWN, /* of a block never allocated */
		WM_PENDING_KNOWN,
		WM_PENDING_RANGE, /* mremap: see struct wm_flight */
	} state;
	uint32_t path; /* perhaps with WM_NAMED */
	uint64_t addr, size, alloc_time;
	uint32_t name; /* of the block; 0: none */
};

/* In wm_live_slot.path: the block has a name.  The same bit as WM_RELEASE, so
 * that releasing a block need not take it out. */
#define WM_NAMED WM_RELEASE

/* Where one thread is in its slice. */
struct wm_feed {
	const struct wm_slice *slice;
	unsigned event, stack, new_addr, old_addr, extra; /* next of each */
	uint32_t thread; /* its number */
	bool alone; /* do not wait for other threads */
	struct wm_pending pending;
	size_t flight; /* what mremap has: a list in wm_replay.flight; 0: none */
	uint32_t next_name; /* of the block that it allocates next; 0: none */
	struct wm_span said; /* of a region that is not whole yet */
	/* for the mark PRIVATE */
	uint64_t private_most, touched, shared_more;
	uint32_t holder; /* name of the word that was told last; 0: none */
	struct wm_bound_thread bound;
	struct wm_stray stray; /* in the slice: */
	unsigned stray_event; /* its number */
	uint64_t last_time; /* of the last event of the slice before */
};

enum wm_step {
	WM_STEP_DONE = 0, /* what was asked for: all events, or one */
	WM_STEP_WAIT, /* the next event contradicts r->addr */
	WM_STEP_WAKE, /* somebody waited for the address r->addr */
	WM_STEP_FAIL, /* r->status says how, r->why in words */
};

/* A range, or a part of one, in the hands of mremap. */
struct wm_flight {
	struct wm_range range; /* its end is 0: of no range */
	size_t next; /* of the same list; 0: the last one */
};
/* Parts of ranges that mremap may have taken and left: of one trace. */
#define WM_RANGES_BACK 10000000u
/* In the bound of blocks, which are smaller, a range counts so often. */
#define WM_RANGE_BLOCKS 4

/*
 * A release that was stamped early (the processor reads the counter before it
 * has the pointer) may have found the block before its own, at the same
 * address, and ended that.  Then the release of that block finds none, and
 * the early one owes an end to the next block there.
 */
struct wm_early {
	uint64_t addr, time; /* of a release of late; of a debt */
};
#define WM_RECENT 4096 /* power of two */
#define WM_DEBTS 16

struct wm_replay {
	struct wm_live live; /* blocks of the heap */
	struct wm_live mpi; /* those of MPI, and its handles */
	struct wm_live links; /* references to groups: replay_handles.c */
	uint64_t references;
	struct wm_live names; /* of those blocks that have one */
	struct wm_ranges ranges; /* mappings */
	struct wm_flight *flight; /* see replay_ranges.c */
	size_t flights, flight_cap;
	uint64_t ranges_back; /* see WM_RANGES_BACK */
	struct wm_pending *halfway; /* reallocs that a trace ends in */
	size_t halfway_count, halfway_cap;
	struct wm_changes changes; /* not yet given to the passes */
	uint64_t batches; /* of changes that the passes were given */
	struct wm_passes *passes;
	const struct wm_trace *t;
	uint64_t most; /* blocks alive, their names and ranges too */
	uint64_t plenty; /* for other bounds: that, or what it is by default */
	uint64_t addr; /* see enum wm_step */
	struct wm_live waiting; /* addresses that threads wait for */
	enum wm_status status;
	struct wm_err why; /* of WM_STEP_FAIL */

	uint64_t skew; /* ticks that stamps may disagree by; 0: one thread */
	struct wm_early *recent; /* by address; NULL: one thread */
	struct wm_early debt[WM_DEBTS];
	unsigned debts;
	struct wm_bound bound; /* of several threads */

	/* events about handles of MPI, which are no calls for memory */
	uint64_t handles_made, handles_freed;
	uint64_t unknown_free; /* releases of memory never allocated */
	uint64_t conflicts; /* allocations on top of a live block */
	uint64_t unpaired; /* halves of a realloc without the other */
	bool paused; /* the program has paused at least once */
	bool pausing; /* and goes on doing so */
	uint64_t unrecorded; /* releases that would be unknown but for that */
	struct wm_stray stray; /* of threads that have ended, the last one */
	uint64_t last_time; /* of an event of these */
	uint64_t scanned; /* slots that names inside blocks made us look at */
};

/* @skew: by how many ticks the stamps of threads may disagree; 0: there is
 * one thread. */
enum wm_status wm_replay_init(struct wm_replay *r, struct wm_passes *passes,
			      const struct wm_trace *t, uint64_t skew,
			      struct wm_err *err);
void wm_replay_release(struct wm_replay *r);

/* Replay the events of @f before number @to of its slice. */
enum wm_step wm_replay_events(struct wm_replay *r, struct wm_feed *f,
			      unsigned to, struct wm_err *err);
/* The cursor of the next slice shall load what its addresses will need. */
void wm_replay_expect(const struct wm_replay *r, struct wm_cursor *c);
/* The slice of @f is done: a stray release that is not its last is none. */
void wm_replay_slice_done(struct wm_feed *f);
/* @f has no more events.  Returns -1 when memory is short. */
int wm_replay_end(struct wm_replay *r, struct wm_feed *f);
/* All threads have ended, and all is flushed: tell the passes what is left. */
void wm_replay_left(const struct wm_replay *r);
/* Releases that waited for a block of their own are counted as unknown. */
void wm_replay_settle(struct wm_replay *r);

/*
 * replay_changes.c: what the passes will be told, and why not.
 */
/* Give them the changes that wait. */
enum wm_status wm_replay_flush(struct wm_replay *r, struct wm_err *err);
/* Tell them of a mark; @kind is one of struct wm_mark. */
void wm_replay_mark(struct wm_replay *r, int kind, uint32_t name, uint32_t path,
		    uint64_t bytes, uint64_t time);

/* Changes are those of thread number @thread from now on. */
void wm_replay_turn(struct wm_replay *r, uint32_t thread);

/* There is no memory for the live blocks. */
enum wm_step wm_replay_no_memory(struct wm_replay *r);

/*
 * replay_ranges.c: the next event of @f, whose @kind is about a range.
 */
enum wm_step wm_replay_range(struct wm_replay *r, struct wm_feed *f,
			     uint8_t kind, uint64_t time, uint64_t *touched);
/* mremap has left its old range alone. */
enum wm_step wm_replay_range_back(struct wm_replay *r, struct wm_feed *f,
				  uint64_t time);

/*
 * replay_handles.c: the next event of @f is about a handle of MPI.
 */
enum wm_step wm_replay_handle_made(struct wm_replay *r, struct wm_feed *f,
				   uint64_t time);
enum wm_step wm_replay_handle_freed(struct wm_replay *r, struct wm_feed *f,
				    uint64_t time);

/*
 * replay_marks.c: the program's annotations.  Blocks with a name have WM_NAMED
 * in their slot and their name in a table of its own.
 */
/* The next event of @f, from PHASE to RESUME. */
enum wm_step wm_replay_mark_event(struct wm_replay *r, struct wm_feed *f,
				  uint8_t kind, uint64_t time);
/* Take the name of the block at @addr in @l away, or give it one. */
uint32_t wm_replay_unname(struct wm_replay *r, const struct wm_live *l,
			  uint64_t addr);
enum wm_step wm_replay_name(struct wm_replay *r, const struct wm_live *l,
			    uint64_t addr, uint32_t name);
/* The block at @s of @l, or the range @x, which @f has just made, gets the name
 * that was given before. */
enum wm_step wm_replay_name_next(struct wm_replay *r, struct wm_feed *f,
				 const struct wm_live *l,
				 struct wm_live_slot *s, uint64_t time);
void wm_replay_name_range(struct wm_replay *r, struct wm_feed *f,
			  struct wm_range *x, uint64_t time);

#endif
