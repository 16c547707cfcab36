/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epochs: intervals of the process's CPU time, at whose end the pages are found
 * that were accessed and written in them.  Coded epochs wait until they are
 * written to the trace as a block PAGES.
 *
 * Only for the service thread.
 */
#ifndef WM_RUNTIME_EPOCHS_H
#define WM_RUNTIME_EPOCHS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* @interval: ns of CPU time; 0: by a budget.  @reads: N asks for reads in every
 * Nth epoch.  @written_alone: reads are unknown (written.h). */
void wm_epochs_begin(uint64_t interval, unsigned reads,
		     bool written_alone) wm_hidden;
/* Ends the epoch if it is time; returns the ns to sleep. */
uint64_t wm_epochs_pause(void) wm_hidden;
/* Ends the last epoch now and writes all.  @why: the reason, if the process
 * continues; NULL: it ends. */
void wm_epochs_end(const char *why) wm_hidden;

#endif
