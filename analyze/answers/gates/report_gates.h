/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of gates (--fail-on), on stderr and in JSON. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "analyze/answers/gates/gate.h"
#include "analyze/render/json.h"
#include "analyze/answers/opts.h"

/* Writes the finding of a gate that is met, in words. */
void wm_finding_put(const struct wm_gate *g, const struct wm_finding *v,
		    FILE *out);
/* Prints a line on stderr for each gate that is met.  Returns their number. */
size_t wm_findings_say(const struct wm_findings *v);
/* Writes "gates": [...], or nothing if there are no gates. */
void wm_findings_json(const struct wm_findings *v, struct wm_json *j);

/*
 * report_junit.c: writes --junit FILE, if it was given, with a test case for
 * each gate.  @s and @why are the status of the report: after an error each
 * test case has the error in place of a finding.
 */
enum wm_status wm_junit_write(const struct wm_opts *o, enum wm_status s,
			      const struct wm_err *why, bool partial,
			      const struct wm_findings *v, struct wm_err *err);
