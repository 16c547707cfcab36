/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs of the page filter (filter.h): at the end of each epoch the notes of
 * all threads become one block PAGES of the trace.  Only for the service
 * thread. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

void wm_filter_epochs_begin(uint64_t interval) wm_hidden;
uint64_t wm_filter_epochs_pause(void) wm_hidden;
/* After this nothing is noted.  @why is the reason if the process continues,
 * and NULL if the process ends. */
void wm_filter_epochs_end(const char *why) wm_hidden;
