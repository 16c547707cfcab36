/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports: what wm-analyze can tell.
 *
 * To add a report: one file with its text function, and one row in the table
 * in report.c.  Its keys in the JSON object, if it has any, come from the same
 * row.  Reports read the analysis, write to a stream, and keep nothing.
 */
#ifndef WM_ANALYZE_REPORT_H
#define WM_ANALYZE_REPORT_H

#include <stdio.h>

#include "analyze/error.h"

struct wm_analysis;
struct wm_json;
struct wm_opts;

struct wm_report {
	const char *name; /* --NAME chooses it */
	const char *help;
	unsigned needs; /* passes, WM_NEEDS(...) */
	/* what people read */
	enum wm_status (*text)(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err);
	/* keys beside those that every report has; may be NULL */
	void (*json)(const struct wm_analysis *a, struct wm_json *j);
	/*
	 * Instead of all that: the report does not look at traces.  Returns
	 * the exit status.
	 */
	int (*alone)(const struct wm_opts *o);
};

/* Ends with an entry without name; the first is the default. */
extern const struct wm_report wm_reports[];

/* The one object of --json, whatever the report. */
enum wm_status wm_report_json(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err);

#endif
