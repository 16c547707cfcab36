/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page accesses (WM_PAGES).  Functions for wrappers are in page_hooks.h.  With
 * WM_ACCESS_BURST or WM_ACCESS=pages no page is followed, and the service
 * thread (service.h) is only a clock; rights and forks affect it in the same
 * way.
 *
 * These functions are called by fork and by other threads, and call the service
 * thread.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Follows pages if that is wanted and possible; if it is impossible, prints one
 * line with the reason.  Called once, in the constructor, while there is no
 * other thread. */
void wm_pages_start(void) wm_hidden;
/* Starts the service thread as the clock of WM_ACCESS_BURST or WM_ACCESS=pages,
 * if that is wanted.  Called once, at the first load or store, with signals
 * blocked, on the runtime's own stack. */
void wm_pages_start_clock(void) wm_hidden;
/* Called when the rank becomes known, or is corrected.  Ends epochs if
 * WM_PAGES_RANKS leaves out @rank. */
void wm_pages_rank_known(int rank) wm_hidden;
/* Called before the process ends. */
void wm_pages_finish(void) wm_hidden;

/* For the service thread: makes all followed memory private, and records @why
 * (a text) in the trace.  Returns 0, or a negated errno if a part could not be
 * made private. */
long wm_pages_end_all(void *why) wm_hidden;

/* The service thread has the rights that the process had at its start, and
 * libc's setuid() and similar functions do not reach it.  So the service thread
 * and the following of memory end when the program changes its rights or
 * confines itself.  Only the service thread calls these functions. */
void wm_rights_begin(void) wm_hidden;
/* For wm_service_end(): if the rights of the thread *@tid (an int) have
 * changed, makes all followed memory private and returns 0. */
long wm_rights_compare(void *tid) wm_hidden;
/* For wm_service_start(): from time to time checks the first thread, whose
 * rights may change without a function of libc; otherwise does what
 * wm_epochs_pause() does. */
uint64_t wm_rights_pause(void) wm_hidden;
