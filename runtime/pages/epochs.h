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

/* Begins epochs of @interval ns of CPU time; if @interval is 0, a budget
 * determines their length.  Reads are found in every @reads-th epoch only.
 * With @written_alone, only writes are found, and reads are unknown
 * (written.h). */
void wm_epochs_begin(uint64_t interval, unsigned reads,
		     bool written_alone) wm_hidden;
/* Ends the epoch if it is time; returns the ns to sleep. */
uint64_t wm_epochs_pause(void) wm_hidden;
/* Ends the last epoch now and writes all epochs.  @why is the reason if the
 * process continues, and NULL if the process ends. */
void wm_epochs_end(const char *why) wm_hidden;
