/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses: WM_PAGES.  Functions for wrappers are in page_hooks.h.  With
 * WM_ACCESS_BURST or WM_ACCESS=pages no page is followed, and the service
 * thread is only a clock, for which rights and forks matter likewise.
 *
 * The service thread (service.h) does all work; these functions are for the
 * other threads, which call it, and fork.
 */
#ifndef WM_RUNTIME_PAGE_MODE_H
#define WM_RUNTIME_PAGE_MODE_H

#include "runtime/base/attributes.h"

/* Called once, in the constructor, with no other thread yet: follows pages, if
 * that is wanted and possible; if it is impossible, one line has the reason. */
void wm_pages_start(void) wm_hidden;
/* Called once, at the first load or store: starts the service thread as the
 * clock of WM_ACCESS_BURST or WM_ACCESS=pages, if that is wanted.  With signals
 * blocked, on a stack of ours. */
void wm_pages_start_clock(void) wm_hidden;
/* The rank is known, or known better: a rank that WM_PAGES_RANKS leaves out
 * ends its epochs. */
void wm_pages_rank_known(int rank) wm_hidden;
/* The process is about to end: writes the last epoch to the trace. */
void wm_pages_finish(void) wm_hidden;

/* For the service thread: makes all private, with @why (a text) as the reason
 * in the trace.  0, or a negated errno: a part could not be made private. */
long wm_pages_end_all(void *why) wm_hidden;

#endif
