/* SPDX-License-Identifier: Apache-2.0 */
/* All reports of wm-analyze, in the order of --help. */
#ifndef WM_ANALYZE_MENU_H
#define WM_ANALYZE_MENU_H

#include "analyze/answers/report.h"

/* Ends with NULL; the first is the default. */
extern const struct wm_report *const wm_reports[];

#endif
