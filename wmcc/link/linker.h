/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a linker for a relinked program.  The user gets nothing of the linker's
 * output except the reason of a failure.
 *
 * One thread, may allocate.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/base/strv.h"
#include "wmcc/link/givers.h"

/* Returns the line of a linker's messages with the reason of its failure,
 * shortened. */
char *wm_linker_reason(const char *text);

/* The names for --trace-symbol, in addition to dlopen. */
extern const char *const wm_device_calls[];

/* Runs the linker quietly.  Returns NULL on success, if the program takes its
 * functions from the objects in @g (or if @g is NULL), otherwise the reason,
 * which the caller frees. */
char *wm_linker_run_command(char *const *argv, const struct wm_givers *g);

/* Runs @ld with a command line, which is in a response file beside @near if
 * @response is true. */
char *wm_linker_run(const char *ld, const struct wm_strv *cmd, bool response,
		    const char *near, const struct wm_givers *g);
