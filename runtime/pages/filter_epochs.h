/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epochs of the page filter (filter.h): at the end of each the notes of all
 * threads become one block PAGES of the trace.
 *
 * For the service thread alone.
 */
#ifndef WM_RUNTIME_FILTER_EPOCHS_H
#define WM_RUNTIME_FILTER_EPOCHS_H

#include <stdint.h>

#include "runtime/hooks.h"

/* @interval: ns of the process's CPU time. */
void wm_filter_epochs_begin(uint64_t interval) wm_hidden;
/* End the epoch if it is time; returns for how many ns to sleep. */
uint64_t wm_filter_epochs_pause(void) wm_hidden;
/* End the epoch now; none comes after it, and nothing is noted any more.  @why:
 * because of what, although the process goes on; NULL: it ends. */
void wm_filter_epochs_end(const char *why) wm_hidden;

#endif
