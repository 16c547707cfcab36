/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the traces of a run directory are of one job.
 *
 * A directory can hold more: left by an earlier job with the same WM_RUN_ID,
 * or copied together.  The job that began last counts; traces that
 * can not be of it are left out, and that is said
 * (docs/trace-format.md, 1.7).
 */
#ifndef WM_ANALYZE_JOBS_H
#define WM_ANALYZE_JOBS_H

#include <stddef.h>

#include "analyze/base/error.h"

struct wm_analysis;

/*
 * All ranks of @a have been read.  Moves the files of other jobs to
 * run.unused and notes it in run.notes; *@found: how many.  The ranks that are
 * left have to be read again then.
 */
enum wm_status wm_jobs_part(struct wm_analysis *a, size_t *found,
			    struct wm_err *err);
/* Says when ranks that are taken for one job did not begin together. */
enum wm_status wm_jobs_note_begin(struct wm_analysis *a, struct wm_err *err);

#endif
