/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/report.h"

#include <stddef.h>

#define WM_REPORT_X(name) extern const struct wm_report wm_##name##_report;
WM_REPORT_LIST(WM_REPORT_X)
#undef WM_REPORT_X

#define WM_REPORT_X(name) &wm_##name##_report,
const struct wm_report *const wm_reports[] = {
	WM_REPORT_LIST(WM_REPORT_X) NULL
};
#undef WM_REPORT_X
