/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses (WM_PAGES).  Functions for wrappers are in page_hooks.h.  With
 * WM_ACCESS_BURST or WM_ACCESS=pages no page is followed, and the service
 * thread is only a clock; rights and forks matter for it in the same way.
 *
 * The service thread (service.h) does all work.  These functions are for fork
 * and for the other threads, which call the service thread.
 */
#pragma once

#include "runtime/base/attributes.h"

/* Follows pages if that is wanted and possible; if it is impossible, prints one
 * line with the reason.  Called once, in the constructor, while there is no
 * other thread. */
void wm_pages_start(void) wm_hidden;
/* Starts the service thread as the clock of WM_ACCESS_BURST or WM_ACCESS=pages,
 * if that is wanted.  Called once, at the first load or store, with signals
 * blocked, on a stack of the runtime's own. */
void wm_pages_start_clock(void) wm_hidden;
/* Called when the rank becomes known, or is corrected.  If WM_PAGES_RANKS
 * leaves out @rank, its epochs end. */
void wm_pages_rank_known(int rank) wm_hidden;
/* Writes the last epoch to the trace.  Called before the process ends. */
void wm_pages_finish(void) wm_hidden;

/* For the service thread: makes all followed memory private and records @why (a
 * text) as the reason in the trace.  Returns 0, or a negated errno if a part
 * could not be made private. */
long wm_pages_end_all(void *why) wm_hidden;
