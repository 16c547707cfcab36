/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An upper bound of the memory in use at one time in a trace of several
 * threads.
 *
 * A block exists a little before its stamp, which is taken when the call has
 * returned, and a little after the stamp of its release, which is taken before
 * the call.  The live bytes of replay therefore lack memory that threads have
 * in such calls at the same moment.  The begin and end of a call are unknown,
 * but a thread is in one call at a time: between two events of a thread it may
 * have had either the bytes that the first event released or the bytes that the
 * second event allocated, whichever are more, and nothing else.  The bound is
 * the live bytes plus these bytes of all threads.
 *
 * The bytes that an event released are known at once, and are added until the
 * next event of its thread.  The bytes that the next event allocates are not
 * known yet: if they are more, the difference must be added to all moments
 * since the first event.  For this purpose threads are in a list in the order
 * of their last events.  Each thread keeps the highest of the moments from its
 * last event to the last event of the next thread in the list: bytes added to
 * one thread are added to all threads behind it, too.  The cost of an event
 * does not depend on the number of moments and threads, and a block is never
 * counted both as live and as in a call.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/pass.h"

/* The state of one thread, which is all zero before its first event.  The
 * struct must not be moved before wm_bound_end(). */
struct wm_bound_thread {
	struct wm_bound_thread *before, *next; /* NULL before: not in list */
	uint64_t high; /* of its moments, without `more` of threads up to it */
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
/* Takes the new changes in @c; also called before @c is emptied. */
void wm_bound_look(struct wm_bound *b, const struct wm_changes *c);
/* Called when an event of @t is over; its changes are in @c. */
void wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		    const struct wm_changes *c);
/* Ends @t: bytes that its last event released count to the end. */
void wm_bound_end(struct wm_bound *b, struct wm_bound_thread *t);
/* Returns the bound, or 0 if there is one thread, for which replay is exact.
 * The states of threads that have not ended must still exist. */
uint64_t wm_bound_result(const struct wm_bound *b);
