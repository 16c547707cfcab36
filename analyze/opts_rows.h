/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of options, in the order of --help all.  scripts/completion makes
 * completions from that text, and a test compares it with wm-analyze(1).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/opts.h"

struct wm_option;

/* Takes the value @v, or NULL for an option without one.  Returns WM_USAGE with
 * a message if the value is wrong. */
typedef enum wm_status wm_take_value(struct wm_command *c,
				     const struct wm_option *row, const char *v,
				     struct wm_err *err);

struct wm_option {
	const char *name;
	char letter; /* -o, 0: none */
	wm_take_value *take;
	size_t field; /* in struct wm_command, if @take needs to know */
	uint64_t most; /* of take_count() */
	const char *value; /* as --help shows it; NULL: it takes none */
	const char *want; /* a description of values, for messages */
	const char *reports; /* that take it; NULL: all */
	const char *help; /* lines */
};

#define WM_OPTIONS_MOST 48
extern const struct wm_option wm_options[];
extern const size_t wm_option_count;

/* Returns whether @option is for @report. */
bool wm_option_is_for(const struct wm_option *option,
		      const struct wm_report *report);
