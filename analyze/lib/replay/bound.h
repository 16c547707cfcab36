/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An upper bound of the memory in use at one time in a trace of several
 * threads.
 *
 * A block exists a little before its stamp, which is taken when the call has
 * returned, and a little after the stamp of its release, which is taken before
 * the call.  The live bytes of replay therefore lack memory that threads have
 * in such calls at the same moment.  A thread is in one call at a time.
 * Between two events of a thread, its call had at most the bytes that the first
 * event released, or the bytes that the second event allocated, whichever are
 * more.  The bound is the live bytes plus these bytes of all threads.
 *
 * The bytes that an event released are known at once, and are added until the
 * next event of its thread.  The bytes that the next event allocates are not
 * known yet: if they are more, the difference must be added to all moments
 * since the first event.  For this purpose, threads are in a list in the order
 * of their last events.  Each thread keeps the highest of the moments from its
 * last event to the last event of the next thread in the list.  Bytes added to
 * one thread count for all threads behind it, too.  So the cost of an event
 * does not depend on the number of moments and threads.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/pass.h"

/* The state of one thread, all zero before its first event.  It must not be
 * moved before wm_bound_end(). */
struct wm_bound_thread {
	struct wm_bound_thread *before, *next; /* NULL before: not in list */
	uint64_t high; /* highest moment, less all `more` up to here */
	uint64_t more; /* to add to these moments and all later ones */
	uint64_t gone; /* bytes that the thread's last event released */
};

struct wm_bound {
	struct wm_bound_thread start; /* the head: moments before all others */
	struct wm_bound_thread *last; /* NULL: there is one thread */
	uint64_t more;
	uint64_t gone;
	uint64_t live;
	uint64_t base, top; /* at the last event; the most since then */
	size_t seen; /* changes seen in the batch that waits for the passes */
};

void wm_bound_init(struct wm_bound *b);
/* Takes the new changes in @c; also called before @c is emptied. */
void wm_bound_look(struct wm_bound *b, const struct wm_changes *c);
/* Called after an event of @t, whose changes are in @c. */
void wm_bound_event(struct wm_bound *b, struct wm_bound_thread *t,
		    const struct wm_changes *c);
/* Ends @t: the bytes that its last event released count to the end. */
void wm_bound_end(struct wm_bound *b, struct wm_bound_thread *t);
/* Returns the bound, or 0 if there is one thread, for which replay is exact.
 * The states of threads that have not ended must still exist. */
uint64_t wm_bound_result(const struct wm_bound *b);
