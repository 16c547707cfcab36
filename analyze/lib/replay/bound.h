/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most that was alive at one time in a trace of several threads.
 *
 * A block exists a little before its stamp, which is taken when the call has
 * returned, and a little after that of its release, which is taken before the
 * call.  Memory that threads have in such calls at one moment is not in the
 * live bytes of replay.  When a call began or ended is not known, but a thread
 * is in one call at a time: between two events of a thread it may have had the
 * bytes that the first one released or those that the second one allocated,
 * whichever are more, and nothing else.  Live bytes and these of all threads
 * are the bound.
 *
 * Memory that an event released is known at once, and added until the next
 * event of its thread.  The memory that the next one allocates is not: if it is
 * more, the difference has to be added to all moments since the event before.
 * So threads stand in a list in the order of their last events, and each keeps
 * the highest of the moments from its last event to that of the next in the
 * list: what is added to one is added to all behind it, too.  Each event then
 * costs the same, however many moments and threads there are, and a block is
 * never counted both as live and as in a call.
 */
#ifndef WM_ANALYZE_BOUND_H
#define WM_ANALYZE_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/pass.h"

/* The state of one thread; all zero before its first event.  It has to stay
 * where it is until wm_bound_end(). */
struct wm_bound_thread {
	struct wm_bound_thread *before, *next; /* before is NULL: not in it */
	uint64_t high; /* of its moments; `more` of all up to it to be added */
	uint64_t more; /* for its moments and all later ones */
	uint64_t gone; /* what its last event released */
};

struct wm_bound {
	struct wm_bound_thread start; /* the list: moments before all others */
	struct wm_bound_thread *last; /* NULL: one thread */
	uint64_t more; /* of the whole list */
	uint64_t gone; /* of all threads */
	uint64_t live; /* now */
	uint64_t base, top; /* at the last event; highest since then */
	size_t seen; /* of the changes that wait for the passes */
};

void wm_bound_init(struct wm_bound *b);
/* See what of @c is new; before @c is emptied, too. */
void wm_bound_look(struct wm_bound *b, const struct wm_changes *c);
/* An event of @t is over, and its changes are in @c. */
void wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		    const struct wm_changes *c);
/* @t has no more events: what its last one released is counted to the end. */
void wm_bound_end(struct wm_bound *b, struct wm_bound_thread *t);
/* While threads that have not ended are still there.  0: one thread, where
 * replay is exact. */
uint64_t wm_bound_result(const struct wm_bound *b);

#endif
