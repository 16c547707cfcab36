/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form in which a report is written: text, JSON or CSV.
 *
 * Here forms and reports meet; neither knows of the other.
 */
#ifndef WM_ANALYZE_TELL_H
#define WM_ANALYZE_TELL_H

#include <stdio.h>

#include "analyze/render/doc.h"
#include "analyze/answers/opts.h"

struct wm_analysis;
struct wm_findings;

/* Write @d in the form that @o asks for, on @out. */
void wm_tell_init(struct wm_doc *d, const struct wm_opts *o, FILE *out,
		  struct wm_err *err);

/*
 * The report of @o about @a.  JSON is one object: keys that all reports have,
 * those of this one, and @v.
 */
enum wm_status wm_tell(const struct wm_analysis *a, const struct wm_opts *o,
		       const struct wm_findings *v, FILE *out,
		       struct wm_err *err);

#endif
