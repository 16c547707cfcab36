/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of wm-analyze.
 *
 * To add a report: one file report_<name>.c that ends with its struct
 * wm_report, and one row in analyze/menu.c: docs/adding-a-report.md.  Reports
 * read the analysis, write a document, and keep nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/request.h"
#include "analyze/lib/replay/pass.h"

struct wm_analysis;
struct wm_doc;
struct wm_json;
struct wm_opts;
struct wm_findings;

struct wm_report {
	const char *name; /* --NAME chooses it */
	const char *help;
	unsigned needs; /* passes, WM_NEEDS(...) */
	/* returns further passes that options ask for; may be NULL */
	unsigned (*wants)(const struct wm_opts *o);
	enum wm_rank_choice usual_rank; /* unless --rank is given */
	unsigned retains; /* beside the chosen rank, WM_RETAINS(...) */
	/*
	 * Writes the whole report, in every form (doc.h).  In JSON its keys are
	 * added to those that every report has.
	 */
	enum wm_status (*build)(const struct wm_analysis *a,
				const struct wm_opts *o, struct wm_doc *d,
				struct wm_err *err);
	/* called instead of build(): writes a file for other programs to
	 * @out */
	enum wm_status (*write)(const struct wm_analysis *a,
				const struct wm_opts *o, FILE *out,
				struct wm_err *err);
	/* draws a picture, SVG 1.1; NULL: --svg is refused */
	enum wm_status (*svg)(const struct wm_analysis *a,
			      const struct wm_opts *o, FILE *out,
			      struct wm_err *err);
	/* returns WM_USAGE with a message if options make no sense; may be
	 * NULL */
	enum wm_status (*check)(const struct wm_opts *o, struct wm_err *err);
	/* adds to @wish the data that the report needs from traces in addition
	 * to its passes; WM_USAGE as check(); may be NULL */
	enum wm_status (*asks)(const struct wm_opts *o, struct wm_wish *wish,
			       struct wm_err *err);
	/*
	 * Called instead of all functions above, for a report that is not about
	 * one run.  Writes @d, which goes to the file of --output, or files of
	 * its own, and returns the exit status.
	 */
	int (*alone)(const struct wm_opts *o, struct wm_doc *d);
	/* WM_NO_JSON, WM_NO_CSV: the report lacks that form; WM_GATES: alone()
	 * evaluates --fail-on; WM_TO_VALUE: the value names the file of the
	 * report; WM_OWN_OUTPUT: alone() opens the file of --output;
	 * WM_OWN_PICTURE: alone() draws the file of --svg; WM_NAMES_ITSELF:
	 * without --output the file is named after RUN; WM_HAS_PAGE: together
	 * with --html the report becomes a page */
	enum {
		WM_NO_JSON = 1,
		WM_NO_CSV = 2,
		WM_GATES = 4,
		WM_TO_VALUE = 8,
		WM_OWN_OUTPUT = 16,
		WM_OWN_PICTURE = 32,
		WM_NAMES_ITSELF = 64,
		WM_HAS_PAGE = 128,
	} forms;
	const char *value; /* "FORMAT" of --NAME FORMAT; NULL: it has none */
	/* a report for each FORMAT, with the FORMAT in .value, that takes the
	 * place of this report; NULL: this report handles any FORMAT */
	const struct wm_report *choices;
};

/* The first key of every JSON object: docs/json.md. */
#define WM_JSON_SCHEMA "wmtools.report/1"

/* Writes the keys that JSON has for every report about a run. */
enum wm_status wm_report_common(const struct wm_analysis *a, struct wm_doc *d,
				struct wm_err *err);
