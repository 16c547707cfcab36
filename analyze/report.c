/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report.h"

#include "analyze/pass.h"
#include "analyze/reports.h"

const struct wm_report wm_reports[] = {
	{ .name = "summary",
	  .help = "the run on one page (default)",
	  .needs = WM_NEEDS(heap),
	  .text = wm_report_summary,
	  .csv = wm_report_summary_csv },
	{ .name = "functions",
	  .help = "who holds the heap at its peak, with call paths",
	  .needs = WM_NEEDS(heap),
	  .text = wm_report_functions,
	  .csv = wm_report_functions_csv },
	{ .name = "timeline",
	  .help = "live bytes over time; --svg FILE draws it",
	  .needs = WM_NEEDS(heap) | WM_NEEDS(timeline),
	  .text = wm_report_timeline,
	  .json = wm_report_timeline_json,
	  .csv = wm_report_timeline_csv },
	{ .name = "leaks",
	  .help = "what was never freed, with call paths",
	  .needs = WM_NEEDS(heap),
	  .text = wm_report_leaks,
	  .csv = wm_report_leaks_csv },
	{ .name = "snapshots",
	  .help = "who held the heap when the program called wm_snapshot()",
	  .needs = WM_NEEDS(heap),
	  .text = wm_report_snapshots },
	{ .name = "static-report",
	  .help = "static memory by section and variable; RUN may be app.wm",
	  .alone = wm_report_static_alone },
	{ .name = "repack",
	  .help = "make the traces smaller, losing nothing; see --output",
	  .alone = wm_repack_alone,
	  .forms = WM_NO_JSON },
	{ .name = NULL },
};
