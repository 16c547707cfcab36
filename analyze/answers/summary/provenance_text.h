/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a run comes from: command line, date, hosts, launcher, program and
 * build-id, and what recorded it.
 *
 * Print what analyze/answers/summary/provenance.h finds; keep nothing.
 */
#ifndef WM_ANALYZE_REPORT_PROVENANCE_H
#define WM_ANALYZE_REPORT_PROVENANCE_H

#include "analyze/job/analysis.h"
#include "analyze/render/doc.h"
#include "analyze/render/json.h"

/* For people, a few lines; nothing where the traces have none of it. */
void wm_tell_provenance(const struct wm_analysis *a, struct wm_doc *d);
/* Keys from "exe" to "tool_version" (docs/json.md), into an object. */
void wm_json_provenance(const struct wm_analysis *a, struct wm_json *j);

#endif
