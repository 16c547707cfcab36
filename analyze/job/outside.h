/* SPDX-License-Identifier: Apache-2.0 */
/* Files outside of the run that were read because traces name them (the
 * executable, libraries, a crash buffer).  Users who read another user's traces
 * must know of them. */
#pragma once

#include <stdbool.h>

#include "analyze/job/analysis.h"

/* Prints a line on stderr.  Called after the report, which opens files. */
void wm_print_outside(const struct wm_analysis *a, bool quiet);
