/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Foreign traces: of another job than the one that counts.
 *
 * A run directory can hold some: left by an earlier job with the same
 * WM_RUN_ID, or copied together.  The job that began last counts; traces that
 * can not be of it are set apart, and that is said (docs/trace-format.md, 1.7).
 */
#ifndef WM_ANALYZE_FOREIGN_H
#define WM_ANALYZE_FOREIGN_H

#include "analyze/base/error.h"
#include "analyze/job/run.h"

enum wm_status wm_foreign_part(struct wm_run *run, struct wm_err *err);

#endif
