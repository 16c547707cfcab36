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
 * A block in the hands of realloc has left its address, but its bytes stay
 * until the call is over; then old and new change places at once.
 */
#ifndef WM_ANALYZE_REPLAY_H
#define WM_ANALYZE_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/decode.h"
#include "analyze/error.h"
#include "analyze/live.h"
#include "analyze/pass.h"

/* A realloc between OUT and its successor. */
struct wm_pending {
	enum { WM_PENDING_NONE, WM_PENDING_UNKNOWN, WM_PENDING_KNOWN } state;
	uint32_t path;
	uint64_t addr, size;
};

/* Where one thread is in its slice. */
struct wm_feed {
	const struct wm_slice *slice;
	unsigned event, stack, new_addr, old_addr, extra; /* next of each */
	int alone; /* do not wait for other threads */
	struct wm_pending pending;
};

enum wm_step {
	WM_STEP_DONE, /* all events that were asked for */
	WM_STEP_WAIT, /* the next event contradicts r->addr */
	WM_STEP_WAKE, /* somebody waited for the address r->addr */
	WM_STEP_FAIL, /* r->status says how */
};

struct wm_replay {
	struct wm_live live;
	struct wm_changes changes; /* not yet given to the passes */
	struct wm_passes *passes;
	uint64_t addr; /* see enum wm_step */
	const uint64_t *waiting; /* addresses that threads wait for */
	size_t waiting_count;
	enum wm_status status;

	uint64_t unknown_free; /* releases of what nobody allocated */
	uint64_t conflicts; /* allocations on top of a live block */
	uint64_t unpaired; /* halves of a realloc without the other */
};

enum wm_status wm_replay_init(struct wm_replay *r, struct wm_passes *passes,
			      struct wm_err *err);
void wm_replay_release(struct wm_replay *r);

/* Replay the events of @f before number @to of its slice. */
enum wm_step wm_replay_events(struct wm_replay *r, struct wm_feed *f,
			      unsigned to, struct wm_err *err);
/* Start loading what the addresses of a new slice will need. */
void wm_replay_prefetch(const struct wm_replay *r, const struct wm_slice *s);
/* Give the last changes to the passes. */
enum wm_status wm_replay_flush(struct wm_replay *r, struct wm_err *err);

#endif
