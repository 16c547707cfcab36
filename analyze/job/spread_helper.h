/* SPDX-License-Identifier: Apache-2.0 */
/* A process of wm-analyze-mpi that helps the root (analyze/job/spread.h). */
#ifndef WM_ANALYZE_SPREAD_HELPER_H
#define WM_ANALYZE_SPREAD_HELPER_H

/* Reads groups until the root quits; returns the exit status. */
int wm_spread_help(void);

#endif
