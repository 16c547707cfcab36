/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epochs are intervals of the process's CPU time.  At the end of each epoch,
 * the pages that were accessed and written in it are found.  Encoded epochs are
 * kept until they are written to the trace as a block PAGES.
 *
 * Only for the service thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Begins epochs of @interval ns of CPU time, or, if @interval is 0, of lengths
 * that a budget determines.  Reads are found in every @reads-th epoch, and
 * never with @written_alone (written.h). */
void wm_epochs_begin(uint64_t interval, unsigned reads,
		     bool written_alone) wm_hidden;
/* Ends the epoch if it is time.  Returns the ns to sleep. */
uint64_t wm_epochs_pause(void) wm_hidden;
/* Ends the last epoch now and writes all epochs.  @why is the reason if the
 * process continues, and NULL if the process ends. */
void wm_epochs_end(const char *why) wm_hidden;
