/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Epochs of the page filter (filter.h): at the end of each the notes of all
 * threads become one block PAGES of the trace.
 *
 * Only for the service thread.
 */
#ifndef WM_RUNTIME_FILTER_EPOCHS_H
#define WM_RUNTIME_FILTER_EPOCHS_H

#include <stdint.h>

#include "runtime/base/attributes.h"

/* @interval: ns of the process's CPU time. */
void wm_filter_epochs_begin(uint64_t interval) wm_hidden;
/* End the epoch if it is time; returns for how many ns to sleep. */
uint64_t wm_filter_epochs_pause(void) wm_hidden;
/* Ends the last epoch now; nothing is noted any more.  @why: the reason, if the
 * process continues; NULL: it ends. */
void wm_filter_epochs_end(const char *why) wm_hidden;

#endif
