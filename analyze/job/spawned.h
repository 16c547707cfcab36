/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that MPI_Comm_spawn has started, in a job with those that were
 * launched.
 *
 * Each MPI_COMM_WORLD counts its ranks from 0 and has run directories of its
 * own.  In a run of several their ranks are numbered through: first those that
 * were launched, then the spawned worlds by their numbers.
 */
#ifndef WM_ANALYZE_SPAWNED_H
#define WM_ANALYZE_SPAWNED_H

#include "analyze/base/error.h"
#include "analyze/job/run.h"

/* Number @run's files and children through, with a note for each world, before
 * they are put in order.  Nothing happens to a run of one world. */
enum wm_status wm_spawned_number(struct wm_run *run, struct wm_err *err);

#endif
