/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How wm-analyze ends (contract: the numbers).
 */
#ifndef WM_ANALYZE_EXIT_H
#define WM_ANALYZE_EXIT_H

#include "analyze/error.h"
#include "analyze/job/analysis.h"
#include "analyze/opts.h"

enum wm_exit {
	WM_EXIT_GOOD = 0,
	WM_EXIT_MET = 1, /* --fail-on; whatever else there is to say */
	WM_EXIT_USAGE = 2,
	WM_EXIT_UNREADABLE = 3, /* nothing readable, or output not writable */
	WM_EXIT_PARTIAL = 4, /* answers from a part of the input */
};

/* Prints the message of @err on stderr unless @s is WM_OK. */
int wm_exit_status(enum wm_status s, int partial, const struct wm_err *err);
/* The same, and says which gates of @v are met. */
int wm_exit_gates(enum wm_status s, int partial, const struct wm_findings *v,
		  const struct wm_err *err);
/* Whether the report is text with the notes in it, on the terminal that stderr
 * is: there people would read them twice. */
int wm_notes_on_screen(const struct wm_opts *o);
/* The notes of @a on stderr, but for mere remarks when @quiet. */
void wm_print_notes(const struct wm_analysis *a, int quiet);

#endif
