/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the traces of a run, several at a time: by the threads of this process
 * (crew.h), and in wm-analyze-mpi by other processes too (spread.h).
 */
#ifndef WM_ANALYZE_LOAD_JOB_H
#define WM_ANALYZE_LOAD_JOB_H

#include "analyze/lib/base/error.h"
#include "analyze/job/crew.h"

/* How many threads read @groups where @threads are asked for (0: one per
 * processor, at most 8). */
unsigned wm_load_threads(unsigned threads, size_t groups);
/* All groups of @l->groups; @l says whom they are delivered to. */
enum wm_status wm_load_run(const struct wm_load *l, struct wm_err *err);

#endif
