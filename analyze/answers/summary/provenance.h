/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The origin of a run: its command lines, when, where and by whom it was
 * started, and the tool that recorded it.
 *
 * Borrows its texts from the analysis.  If a value may differ between ranks,
 * the lowest rank's is taken, but all command lines and hosts are kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/job/analysis.h"
#include "analyze/render/doc.h"

/* At most so many different command lines and hosts are listed. */
#define WM_PROVENANCE_ROWS 64

/* A command line, and ranks that have it. */
struct wm_run_command {
	const char *text;
	bool cut; /* the command line is longer than the text */
	size_t ranks;
};

struct wm_provenance {
	const struct wm_origin *origin; /* of the lowest rank */
	const char *exe; /* path; NULL: unknown */
	char build_id[2 * 64 + 1]; /* "": unknown */
	char started[32]; /* "2026-11-23T14:35:00Z"; "": unknown */
	struct wm_run_command command[WM_PROVENANCE_ROWS]; /* by lowest rank */
	size_t commands;
	const char *host[WM_PROVENANCE_ROWS]; /* likewise */
	size_t hosts;
	/* ranks that have command lines that are not listed */
	size_t ranks_left;
};

/* Writes the rest of the origin, without the command line, into @buf as one
 * line: "started ..., on a, b, by hydra, program /home/me/app.wm", or "" if
 * nothing is known. */
#define WM_PROVENANCE_TEXT 1024
const char *wm_provenance_text(const struct wm_provenance *p,
			       char buf[WM_PROVENANCE_TEXT]);
void wm_provenance_make(struct wm_provenance *p, const struct wm_analysis *a);

/* provenance_text.c */
/* Writes a few lines for people, or nothing if the traces have no origin. */
void wm_tell_provenance(const struct wm_analysis *a, struct wm_doc *d);
/* Writes keys from "exe" to "tool_version" (docs/json.md) into an object. */
void wm_json_provenance(const struct wm_analysis *a, struct wm_json *j);
