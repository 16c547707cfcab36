/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose trace each file of a run is: asked once, before any event is read.
 *
 * wm_scan_run() reads the heads of all files (facts.h), several at a time, and
 * then decides, in this order: which rank of the job each one is (spawned.h);
 * which are set apart, because another trace of their rank counts (run.h) or
 * because they are of another job (foreign.h); which program each one ran
 * (program_dirs.c); which are read together (group.h); and counts duplicates
 * (duplicates.h).  What comes later follows struct wm_run and the groups, and
 * decides nothing of it again.
 */
#ifndef WM_ANALYZE_SCAN_H
#define WM_ANALYZE_SCAN_H

#include "analyze/base/error.h"
#include "analyze/job/group.h"
#include "analyze/job/run.h"

/* @run comes from wm_run_find(); @needs are the passes that will run; @threads
 * 0: not told.  WM_USAGE: it is no run. */
enum wm_status wm_scan_run(struct wm_run *run, struct wm_file_groups *groups,
			   unsigned needs, unsigned threads,
			   struct wm_err *err);

#endif
