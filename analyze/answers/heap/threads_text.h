/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by threads: for reports that know it, and the list of threads.
 */
#ifndef WM_ANALYZE_BY_THREADS_H
#define WM_ANALYZE_BY_THREADS_H

#include "analyze/job/analysis.h"
#include "analyze/answers/heap/threads.h"
#include "analyze/render/doc.h"
#include "analyze/answers/opts.h"

/* struct wm_report.wants and .check of such reports. */
unsigned wm_by_threads_wants(const struct wm_opts *o);
enum wm_status wm_by_threads_check(const struct wm_opts *o, struct wm_err *err);

/* --functions --by threads. */
enum wm_status wm_by_threads_tell(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err);

#endif
