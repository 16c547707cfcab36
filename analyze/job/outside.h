/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that were read although they do not lie in the run: the traces name
 * them (the executable, libraries, a crash buffer), and whoever reads the
 * traces of somebody else wants to know it.
 */
#ifndef WM_ANALYZE_OUTSIDE_H
#define WM_ANALYZE_OUTSIDE_H

#include <stdbool.h>

#include "analyze/job/analysis.h"

/* One line on stderr unless @quiet, after the report, which opens what it
 * needs. */
void wm_print_outside(const struct wm_analysis *a, bool quiet);

#endif
