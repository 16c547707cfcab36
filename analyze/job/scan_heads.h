/* SPDX-License-Identifier: Apache-2.0 */
/* Decides the rank of each file of a run, before any event is read.
 * wm_scan_run() reads the heads of all files (facts.h), several at a time, and
 * then decides by the steps below.  Later code follows struct wm_run and the
 * groups. */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/job/group.h"
#include "analyze/job/run.h"

/* Scans @run, which comes from wm_run_find(), for the passes @needs.  @threads
 * may be 0 for the default.  Returns WM_USAGE if the files are no run. */
enum wm_status wm_scan_run(struct wm_run *run, struct wm_file_groups *groups,
			   unsigned needs, unsigned threads,
			   struct wm_err *err);

/* The steps; each needs the results of the steps before it. */

/* spawned.c: numbers the ranks of several worlds in one sequence. */
enum wm_status wm_spawned_number(struct wm_run *run, struct wm_err *err);
/* foreign.c: sets traces of other jobs apart, with a note. */
enum wm_status wm_foreign_part(struct wm_run *run, struct wm_err *err);
/* program_dirs.c: finds programs and the run's name; WM_USAGE: two runs. */
enum wm_status wm_run_programs(struct wm_run *run, struct wm_err *err);
/* job_clock.c: chooses the clock of the job, and each process's start on it. */
enum wm_status wm_job_clock_find(struct wm_run *run, struct wm_err *err);
/* duplicates.c: finds out why ranks have older traces, adds a note for each
 * kind, and counts older traces whose process ran at the same time as the
 * process of the trace that counts. */
enum wm_status wm_duplicates_note(struct wm_run *run, struct wm_err *err);
