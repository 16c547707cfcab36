/* SPDX-License-Identifier: Apache-2.0 */
/* Page accesses (WM_PAGES), for fork and for other threads than the service
 * thread; page_hooks.h is for wrappers.  With WM_ACCESS_BURST or
 * WM_ACCESS=pages no page is followed, and the service thread is only a
 * clock. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Follows pages if that is wanted, or prints one line with the reason why it is
 * impossible.  Called once, in the constructor, before other threads. */
void wm_pages_start(void) wm_hidden;
/* Starts the clock of WM_ACCESS_BURST or WM_ACCESS=pages, if that is wanted.
 * Called once, at the first load or store, with signals blocked, on the
 * runtime's own stack. */
void wm_pages_start_clock(void) wm_hidden;
/* Called when the rank becomes known, or is corrected.  Ends epochs if
 * WM_PAGES_RANKS leaves out @rank. */
void wm_pages_rank_known(int rank) wm_hidden;
/* Called before the process ends. */
void wm_pages_finish(void) wm_hidden;

/* For the service thread: makes all followed memory private for the reason
 * @why (a text).  Returns 0, or a negated errno if a part could not be made
 * private. */
long wm_pages_end_all(void *why) wm_hidden;

/* The service thread has the rights that the process had at its start; libc's
 * setuid() and similar functions do not reach it.  So it ends when the program
 * changes its rights or confines itself.  Only the service thread calls these
 * functions. */
void wm_rights_begin(void) wm_hidden;
/* For wm_service_end(): returns 0 if the rights of thread *@tid (an int) have
 * changed. */
long wm_rights_compare(void *tid) wm_hidden;
/* For wm_service_start(): checks the first thread's rights, which may change
 * without a function of libc; else does what wm_epochs_pause() does. */
uint64_t wm_rights_pause(void) wm_hidden;
