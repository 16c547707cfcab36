/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports: what wm-analyze can tell.
 *
 * To add a report: one file report_<name>.c that ends with its struct
 * wm_report, and one row in analyze/menu.c.  Reports read the analysis, write
 * to a stream, and keep nothing.
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
	/* a picture, SVG 1.1; NULL: --svg is refused */
	enum wm_status (*svg)(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err);
	/* WM_USAGE with a message when options make no sense; may be NULL */
	enum wm_status (*check)(const struct wm_opts *o, struct wm_err *err);
	/*
	 * Instead of all that: the report does not look at one run.  Returns
	 * the exit status.
	 */
	int (*alone)(const struct wm_opts *o);
	/* WM_OWN_CSV, WM_GATES: alone knows --csv, --fail-on; WM_TO_VALUE: the
	 * value is the file that the text goes to */
	enum {
		WM_NO_JSON = 1,
		WM_OWN_CSV = 2,
		WM_GATES = 4,
		WM_TO_VALUE = 8,
	} forms;
	const char *value; /* "FORMAT" of --NAME FORMAT; NULL: it has none */
	/* one for each FORMAT, its name in .value, takes the place of this one;
	 * NULL: any FORMAT will do */
	const struct wm_report *choices;
};

/* The first key of every JSON object: docs/json.md. */
#define WM_JSON_SCHEMA "wmtools.report/1"

/* The one object of --json, whatever the report. */
enum wm_status wm_report_json(const struct wm_analysis *a,
			      const struct wm_opts *o,
			      const struct wm_findings *v, FILE *out,
			      struct wm_err *err);

#endif
