/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epochs: an interval of the process's CPU time, at whose end it is asked which
 * pages were accessed and written in it.  What is known is kept coded until it
 * goes into the trace as a block PAGES.
 *
 * For the service thread alone.
 */
#ifndef WM_RUNTIME_EPOCHS_H
#define WM_RUNTIME_EPOCHS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* @interval: ns of CPU time; 0: as long as a budget asks for.
 * @reads: what is read is asked in each so-manieth epoch.  @written_alone: it
 * is not known (written.h). */
void wm_epochs_begin(uint64_t interval, unsigned reads,
		     bool written_alone) wm_hidden;
/* End the epoch if it is time; returns for how many ns to sleep. */
uint64_t wm_epochs_pause(void) wm_hidden;
/* End the epoch now, hand all over; none comes after it.  @why: because of
 * what, although the process goes on; NULL: it ends. */
void wm_epochs_end(const char *why) wm_hidden;

#endif
