/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides the rank of each file of a run, before any event is read.
 *
 * wm_scan_run() reads the heads of all files (facts.h), several at a time, and then
 * decides by the steps below.  All later code follows struct wm_run and the groups.
 */
#ifndef WM_ANALYZE_SCAN_HEADS_H
#define WM_ANALYZE_SCAN_HEADS_H

#include "analyze/lib/base/error.h"
#include "analyze/job/group.h"
#include "analyze/job/run.h"

/* @run comes from wm_run_find(); @needs are the passes that will run; @threads 0: the
 * default.  WM_USAGE: the files are no run. */
enum wm_status wm_scan_run(struct wm_run *run, struct wm_file_groups *groups,
			   unsigned needs, unsigned threads,
			   struct wm_err *err);

/* The steps; each needs the results of those before it. */

/* spawned.c: number the ranks of several worlds in one sequence, with a note for
 * each world. */
enum wm_status wm_spawned_number(struct wm_run *run, struct wm_err *err);
/* run.c: wm_run_order() */
/* foreign.c: set traces of other jobs apart, with a note. */
enum wm_status wm_foreign_part(struct wm_run *run, struct wm_err *err);
/* program_dirs.c: find programs, and the name of the run.  WM_USAGE: two runs
 * were given. */
enum wm_status wm_run_programs(struct wm_run *run, struct wm_err *err);
/* group.c: wm_nodes_find() */
/* job_clock.c: choose the clock of the job, and find each process's start on it. */
enum wm_status wm_job_clock_find(struct wm_run *run, struct wm_err *err);
/* group.c: wm_groups_make() */
/* duplicates.c: find why ranks have older traces, with a note for each kind, and
 * count those whose process ran at the same time as the one that counts. */
enum wm_status wm_duplicates_note(struct wm_run *run, struct wm_err *err);

#endif
