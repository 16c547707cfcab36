/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worlds of one job: what was launched, and what MPI_Comm_spawn has started.
 *
 * Each counts its ranks from 0.  In a run of several worlds their ranks are
 * numbered through: first those that were launched, then the spawned worlds
 * by their numbers.  Reads the first head of one trace in each directory.
 */
#ifndef WM_ANALYZE_WORLDS_H
#define WM_ANALYZE_WORLDS_H

#include "analyze/base/error.h"
#include "analyze/job/run.h"

/* A world; an array is in the order of their ranks. */
struct wm_world {
	char *id; /* of its run directories; "": the launched one */
	uint64_t first, ranks; /* in the job */
};

/* Number @run's files and children through, with a note for each world; before
 * they are put in order.  Nothing happens to a run of one world. */
enum wm_status wm_worlds_number(struct wm_run *run, struct wm_err *err);
/* What the size that a rank of file @f tells is in the job. */
uint64_t wm_worlds_size(const struct wm_run *run, const struct wm_run_file *f,
			uint64_t ranks);
void wm_worlds_release(struct wm_run *run);

#endif
