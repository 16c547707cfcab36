/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exit status of wm-analyze, and its last messages on stderr.
 */
#pragma once

#include <stdbool.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/opts.h"

/* Returns the exit status, and prints the message of @err unless @s is
 * WM_OK. */
int wm_exit_status(enum wm_status s, bool partial, const struct wm_err *err);
/* Does the same, writes --junit, and reports the gates of @v that are met. */
int wm_exit_gates(const struct wm_opts *o, enum wm_status s, bool partial,
		  const struct wm_findings *v, const struct wm_err *err);
/* Returns whether people would read the notes twice: the report is text with
 * the notes in it, and goes to the same terminal as stderr. */
bool wm_notes_on_screen(const struct wm_opts *o);
/* Prints the notes of @a on stderr; with @quiet, mere remarks are left out. */
void wm_print_notes(const struct wm_analysis *a, bool quiet);
