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
struct wm_findings;

struct wm_report {
	const char *name; /* --NAME chooses it */
	const char *help;
	unsigned needs; /* passes, WM_NEEDS(...) */
	/* more of them that options ask for; may be NULL */
	unsigned (*wants)(const struct wm_opts *o);
	unsigned keeps; /* beside the chosen rank, WM_KEEPS(...) */
	/* what people read */
	enum wm_status (*text)(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err);
	/* keys beside those that every report has; may be NULL */
	enum wm_status (*json)(const struct wm_analysis *a,
			       const struct wm_opts *o, struct wm_json *j,
			       struct wm_err *err);
	/* one table; NULL: --csv is refused */
	enum wm_status (*csv)(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err);
	/* WM_USAGE with a message when options make no sense; may be NULL */
	enum wm_status (*check)(const struct wm_opts *o, struct wm_err *err);
	/*
	 * Instead of all that: the report does not look at one run.  Returns
	 * the exit status.
	 */
	int (*alone)(const struct wm_opts *o);
	/* of alone; WM_GATES: it knows --fail-on */
	enum { WM_NO_JSON = 1, WM_OWN_CSV = 2, WM_GATES = 4 } forms;
	const char *value; /* "FORMAT" of --NAME FORMAT; NULL: it has none */
	/* one for each FORMAT, its name in .value, takes the place of this one;
	 * NULL: any FORMAT will do */
	const struct wm_report *choices;
};

/* Ends with an entry without name; the first is the default. */
extern const struct wm_report wm_reports[];

/* The first key of every JSON object: docs/json.md. */
#define WM_JSON_SCHEMA "wmtools.report/1"

/* The one object of --json, whatever the report. */
enum wm_status wm_report_json(const struct wm_analysis *a,
			      const struct wm_opts *o,
			      const struct wm_findings *v, FILE *out,
			      struct wm_err *err);

#endif
