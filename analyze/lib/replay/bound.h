/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most memory in use at one time in a trace of several threads.
 *
 * A block exists a little before its stamp, which is taken when the call has
 * returned, and a little after the stamp of its release, which is taken before
 * the call.  The live bytes of replay lack memory that threads have in such
 * calls at one moment.  The begin and end of a call are unknown, but a thread
 * is in one call at a time: between two events of a thread it may have had the
 * bytes that the first one released or those that the second one allocated,
 * whichever are more, and nothing else.  The bound is the live bytes plus these
 * of all threads.
 *
 * Memory that an event released is known at once, and is added until the next
 * event of its thread.  Memory that the next one allocates is not: if it is
 * more, the difference must be added to all moments since the event before.  So
 * threads are in a list in the order of their last events, and each keeps the
 * highest of the moments from its last event to that of the next thread in the
 * list: bytes added to one are added to all behind it, too.  The cost of an
 * event does not depend on the number of moments and threads, and a block is
 * never counted both as live and as in a call.
 */
#ifndef WM_ANALYZE_BOUND_H
#define WM_ANALYZE_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/pass.h"

/* The state of one thread; all zero before its first event.  It must not be
 * moved before wm_bound_end(). */
struct wm_bound_thread {
	struct wm_bound_thread *before, *next; /* before is NULL: not in it */
	uint64_t high; /* of its moments, without `more` of all up to it */
	uint64_t more; /* to be added to its moments and all later ones */
	uint64_t gone; /* bytes that its last event released */
};

struct wm_bound {
	struct wm_bound_thread start; /* the list: moments before all others */
	struct wm_bound_thread *last; /* NULL: one thread */
	uint64_t more; /* of the whole list */
	uint64_t gone; /* of all threads */
	uint64_t live; /* now */
	uint64_t base, top; /* at the last event; highest since then */
	size_t seen; /* changes seen, among those that wait for the passes */
};

void wm_bound_init(struct wm_bound *b);
/* See the new changes in @c; also called before @c is emptied. */
void wm_bound_look(struct wm_bound *b, const struct wm_changes *c);
/* An event of @t is over, and its changes are in @c. */
void wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		    const struct wm_changes *c);
/* @t has no more events: bytes that the last one released count to the end. */
void wm_bound_end(struct wm_bound *b, struct wm_bound_thread *t);
/* Called while threads that have not ended still exist.  0: one thread, for
 * which replay is exact. */
uint64_t wm_bound_result(const struct wm_bound *b);

#endif
