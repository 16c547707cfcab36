/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files outside of the run that were read because traces name them (the
 * executable, libraries, a crash buffer).  A user who reads another user's
 * traces must know of these files.
 */
#pragma once

#include <stdbool.h>

#include "analyze/job/analysis.h"

/* Prints one line on stderr unless @quiet is set.  To be called after the
 * report, which opens the files that it needs. */
void wm_print_outside(const struct wm_analysis *a, bool quiet);
