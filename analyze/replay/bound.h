/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most that was alive at one time in a trace of several threads.
 *
 * A block exists a little before its stamp, which is taken when the call has
 * returned, and a little after that of its release, which is taken before the
 * call.  What threads have in such calls at one moment is not in the live
 * bytes of replay.  When a call began or ended is not known, but a thread is
 * in one call at a time: between two events of a thread it may have had the
 * bytes that the first one released or those that the second one allocated,
 * whichever are more, and nothing else.  Live bytes and these of all threads
 * are the bound.
 *
 * A release of many bytes may be followed by a long time without an event,
 * so that sums have to be kept for each piece of the trace: of one event at
 * first, and twice as long after each WM_BOUND_PIECES pieces.  Longer pieces
 * make the bound looser, never too low.
 */
#ifndef WM_ANALYZE_BOUND_H
#define WM_ANALYZE_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/replay/pass.h"

#define WM_BOUND_PIECES 4096

struct wm_bound_piece {
	uint64_t high; /* live bytes: the highest in it */
	uint64_t more; /* in calls, less those of the piece before */
};

struct wm_bound {
	struct wm_bound_piece *piece; /* NULL: one thread, or no memory */
	size_t last, cap; /* the piece that the last event is in */
	uint64_t length, room; /* of that piece: events, and how many more */
	uint64_t live; /* now */
	uint64_t before, top; /* at the last event; highest since then */
	size_t seen; /* of the changes that wait for the passes */
};

/* Of one thread; all zero before its first event. */
struct wm_bound_thread {
	size_t piece; /* of its last event */
	uint64_t most; /* bytes in a call in that piece */
	uint64_t gone; /* what its last event released */
};

int wm_bound_init(struct wm_bound *b); /* -1: no memory */
void wm_bound_release(struct wm_bound *b);
/* See what of @c is new; before @c is emptied, too. */
void wm_bound_look(struct wm_bound *b, const struct wm_changes *c);
/* An event of @t is over, and its changes are in @c.  -1: no memory. */
int wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		   const struct wm_changes *c);
/* @t has no more events. */
void wm_bound_end(struct wm_bound *b, const struct wm_bound_thread *t);
/* After the end of all threads.  0: one thread, where replay is exact. */
uint64_t wm_bound_result(const struct wm_bound *b);

#endif
