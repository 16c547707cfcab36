/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rank of each file of a run: decided once, before any event is read.
 *
 * wm_scan_run() reads the heads of all files (facts.h), several at a time, and
 * then decides, by the steps below.  Later steps follow struct wm_run and the
 * groups, and decide nothing of it again.
 */
#ifndef WM_ANALYZE_SCAN_HEADS_H
#define WM_ANALYZE_SCAN_HEADS_H

#include "analyze/lib/base/error.h"
#include "analyze/job/group.h"
#include "analyze/job/run.h"

/* @run comes from wm_run_find(); @needs are the passes that will run; @threads
 * 0: the default.  WM_USAGE: it is no run. */
enum wm_status wm_scan_run(struct wm_run *run, struct wm_file_groups *groups,
			   unsigned needs, unsigned threads,
			   struct wm_err *err);

/* The steps, of which each needs what those before it have decided. */

/* spawned.c: number ranks of several worlds through, with a note for each. */
enum wm_status wm_spawned_number(struct wm_run *run, struct wm_err *err);
/* run.c: wm_run_order() */
/* foreign.c: set traces of other jobs apart, with a note. */
enum wm_status wm_foreign_part(struct wm_run *run, struct wm_err *err);
/* program_dirs.c: find programs, and the name of the run.  WM_USAGE: two runs
 * were given. */
enum wm_status wm_run_programs(struct wm_run *run, struct wm_err *err);
/* group.c: wm_nodes_find() */
/* job_clock.c: when each process began on the clock of the job, and which clock
 * that is. */
enum wm_status wm_job_clock_find(struct wm_run *run, struct wm_err *err);
/* group.c: wm_groups_make() */
/* duplicates.c: why ranks have older traces, with a note for each kind; those
 * whose process ran at the same time as that of the trace that counts. */
enum wm_status wm_duplicates_note(struct wm_run *run, struct wm_err *err);

#endif
