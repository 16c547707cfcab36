/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of gates (--fail-on) as JUnit's XML: a test case for each. */
#ifndef WM_ANALYZE_REPORT_JUNIT_H
#define WM_ANALYZE_REPORT_JUNIT_H

#include <stdbool.h>

#include "analyze/lib/base/error.h"
#include "analyze/answers/gates/gate.h"
#include "analyze/answers/opts.h"

/*
 * --junit FILE, if it was given.  @s and @why: how reading and telling went;
 * after an error each gate has that in place of a finding.
 */
enum wm_status wm_junit_write(const struct wm_opts *o, enum wm_status s,
			      const struct wm_err *why, bool partial,
			      const struct wm_findings *v, struct wm_err *err);

#endif
