/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Duplicates: several processes that say at the same time that they are one
 * rank.  An earlier run in the same directory is no loss; part of this one is.
 */
#ifndef WM_ANALYZE_DUPLICATES_H
#define WM_ANALYZE_DUPLICATES_H

#include "analyze/job/run.h"

/* Older traces of ranks are set apart: counts those whose process still ran
 * when that of the trace that counts began, or the other way round. */
void wm_duplicates_count(struct wm_run *run);

#endif
