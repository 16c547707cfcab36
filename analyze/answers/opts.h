/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of the command line, as reports get them.
 *
 * They are made once at start (analyze/opts.h) and are read-only afterwards.
 * Texts belong to argv.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/access/places.h"
#include "analyze/job/request.h"
#include "analyze/answers/gates/gate.h"
#include "analyze/answers/report.h"

enum wm_color { WM_COLOR_AUTO, WM_COLOR_ALWAYS, WM_COLOR_NEVER };

struct wm_opts {
	const struct wm_report *report;
	const struct wm_report *const *reports; /* all, ends with NULL */
	struct wm_request request; /* the data that the report reads */
	bool rank_given;
	bool json, quiet, help, version;
	size_t top; /* entries in text lists; 0: all */
	bool top_given;
	enum wm_color color;
	bool csv, markdown;
	bool page; /* --html beside a report that has one */
	const char *report_value; /* of --export FORMAT and the like */
	const char *output; /* for --repack a directory; NULL: in place */
	const char *svg; /* file, "-": stdout, NULL: none */
	/* Reports parse these themselves (struct wm_report.check).  NULL: not
	 * given. */
	const char *at, *by;
	bool bottom_up, force, open;
	const char *sizes, *predict, *check_runs;
	const char *tier; /* size */
	const char *line; /* of caches: bytes */
	const char *threshold; /* of --history: percent */
	const char *node_memory, *ranks_per_node;
	struct wm_gates gates; /* --fail-on */
	const char *junit; /* file for their findings, "-": stdout */
	struct wm_places places; /* of files with names */
};
