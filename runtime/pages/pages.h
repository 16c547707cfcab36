/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses: WM_PAGES.  What wrappers ask for is in hooks.h.  With
 * WM_ACCESS_BURST or WM_ACCESS=pages no page is followed, and the service thread is a clock; rights
 * and forks are its concern likewise.
 *
 * All work is done by the service thread (service.h); here is what other
 * threads do: ask it, and fork.
 */
#ifndef WM_RUNTIME_PAGES_H
#define WM_RUNTIME_PAGES_H

#include "runtime/hooks.h"

/* Once, in the constructor, with no other thread yet: follow pages, if that is
 * asked for and can be; if not, one line says why. */
void wm_pages_start(void) wm_hidden;
/* Once, at the first load or store: the service thread as the clock of
 * WM_ACCESS_BURST or WM_ACCESS=pages, if that is asked for.  With signals
 * blocked, on a stack of ours. */
void wm_pages_start_clock(void) wm_hidden;
/* The rank is known, or known better: one that WM_PAGES_RANKS leaves out ends
 * no epoch any more. */
void wm_pages_rank_known(int rank) wm_hidden;
/* The process is about to end: the last epoch goes into the trace. */
void wm_pages_finish(void) wm_hidden;

/* For the service thread: all becomes private, with @why (a text) as the
 * reason in the trace.  0, or a negated errno: some of it could not. */
long wm_pages_end_all(void *why) wm_hidden;

#endif
