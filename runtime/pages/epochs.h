/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs are intervals of the process's CPU time, at whose end the pages are
 * found that were accessed and written.  Encoded epochs are kept until they are
 * written to the trace as a block PAGES.  Only for the service thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Begins epochs of @interval ns of CPU time, or, if that is 0, of lengths that
 * a budget determines.  Reads are found in every @reads-th epoch, and never
 * with @written_alone. */
void wm_epochs_begin(uint64_t interval, unsigned reads,
		     bool written_alone) wm_hidden;
/* Ends the epoch if it is time.  Returns the ns to sleep. */
uint64_t wm_epochs_pause(void) wm_hidden;
/* Ends the last epoch and writes all.  @why is NULL if the process ends. */
void wm_epochs_end(const char *why) wm_hidden;
