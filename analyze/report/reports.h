/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions behind the rows of the table of reports (report.h), one file
 * report_<name>.c each.
 */
#ifndef WM_ANALYZE_REPORTS_H
#define WM_ANALYZE_REPORTS_H

#include <stdio.h>

#include "analyze/error.h"
#include "analyze/job/analysis.h"
#include "analyze/opts.h"
#include "analyze/report/json.h"

enum wm_status wm_report_imbalance_json(const struct wm_analysis *a,
					const struct wm_opts *o,
					struct wm_json *j, struct wm_err *err);
enum wm_status wm_report_imbalance_csv(const struct wm_analysis *a,
				       const struct wm_opts *o, FILE *out,
				       struct wm_err *err);
/* Writes the picture of the timeline; @l: its layers, or NULL. */
struct wm_layers;
enum wm_status wm_timeline_svg(const struct wm_analysis *a,
			       const struct wm_layers *l, FILE *out,
			       struct wm_err *err);
unsigned wm_timeline_wants(const struct wm_opts *o);
enum wm_status wm_timeline_check(const struct wm_opts *o, struct wm_err *err);

#endif
