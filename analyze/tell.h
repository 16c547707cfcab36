/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a report in a form: text, JSON or CSV.  Reports and forms do not know
 * each other.
 */
#pragma once

#include <stdio.h>

#include "analyze/render/doc.h"
#include "analyze/opts.h"

struct wm_analysis;
struct wm_findings;

/* Prepares @d for @out, in the form that @c asks for. */
void wm_tell_init(struct wm_doc *d, const struct wm_command *c, FILE *out,
		  struct wm_err *err);

/*
 * Writes the report of @c about @a.  In JSON it is one object with the keys of
 * all reports, the keys of this report, and @v.
 */
enum wm_status wm_tell(const struct wm_analysis *a, const struct wm_command *c,
		       const struct wm_findings *v, FILE *out,
		       struct wm_err *err);
